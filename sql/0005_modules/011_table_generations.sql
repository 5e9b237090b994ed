-- By table of a module, the generation of the rows that the checkpoint counts.
ALTER TABLE checkpoints ADD COLUMN IF NOT EXISTS table_generations Map(String, UInt64) AFTER generations
