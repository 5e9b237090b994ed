-- As txs, merged column by column. Merges would hash every value of every column for statistics that no query of ours reads.
ALTER TABLE blocks MODIFY SETTING auto_statistics_types = '', vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 9
