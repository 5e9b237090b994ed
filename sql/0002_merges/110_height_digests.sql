ALTER TABLE height_digests MODIFY SETTING auto_statistics_types = ''
