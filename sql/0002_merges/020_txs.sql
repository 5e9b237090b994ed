-- Merged column by column, whatever the size: half the memory, and less CPU.
ALTER TABLE txs MODIFY SETTING auto_statistics_types = '', vertical_merge_algorithm_min_rows_to_activate = 1, vertical_merge_algorithm_min_columns_to_activate = 9
