DROP TABLE IF EXISTS typed_events_next SYNC SETTINGS max_table_size_to_drop = 0
