ALTER TABLE evm_txs MODIFY SETTING auto_statistics_types = ''
