ALTER TABLE account_txs MODIFY SETTING auto_statistics_types = ''
