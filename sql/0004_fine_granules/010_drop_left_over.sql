-- A look-up decompresses a whole granule of each column, so that one of 512 heavy txs costs a millisecond and more.
-- The size of granules is fixed with the table: txs is made anew around its parts, which are linked and not copied.
DROP TABLE IF EXISTS txs_next SYNC SETTINGS max_table_size_to_drop = 0
