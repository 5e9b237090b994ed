ALTER TABLE txs_by_method MODIFY SETTING auto_statistics_types = ''
