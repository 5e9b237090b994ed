ALTER TABLE transfers MODIFY SETTING auto_statistics_types = ''
