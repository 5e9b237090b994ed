DROP TABLE IF EXISTS txs_next SYNC SETTINGS max_table_size_to_drop = 0
