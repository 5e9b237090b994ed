ALTER TABLE events MODIFY SETTING auto_statistics_types = ''
