-- Merges would hash every value of every column for statistics that no query of ours reads.
ALTER TABLE blocks MODIFY SETTING auto_statistics_types = ''
