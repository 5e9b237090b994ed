ALTER TABLE tx_hashes MODIFY SETTING auto_statistics_types = ''
