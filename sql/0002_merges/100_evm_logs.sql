ALTER TABLE evm_logs MODIFY SETTING auto_statistics_types = ''
