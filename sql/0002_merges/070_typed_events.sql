ALTER TABLE typed_events MODIFY SETTING auto_statistics_types = ''
