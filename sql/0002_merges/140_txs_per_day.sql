ALTER TABLE txs_per_day MODIFY SETTING auto_statistics_types = ''
