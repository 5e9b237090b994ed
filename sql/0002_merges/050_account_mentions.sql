ALTER TABLE account_mentions MODIFY SETTING auto_statistics_types = ''
