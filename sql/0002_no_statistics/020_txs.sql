ALTER TABLE txs MODIFY SETTING auto_statistics_types = ''
