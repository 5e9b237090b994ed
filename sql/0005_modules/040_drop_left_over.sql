-- A page of a feed looks up 50 events by their keys, and a look-up decompresses a whole granule: 50 of 8,192 rows take
-- three times what 50 of 512 do. As txs in 0004, typed_events is made anew around its parts, which are linked.
DROP TABLE IF EXISTS typed_events_next SYNC SETTINGS max_table_size_to_drop = 0
