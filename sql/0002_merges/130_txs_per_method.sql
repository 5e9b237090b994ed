ALTER TABLE txs_per_method MODIFY SETTING auto_statistics_types = ''
