-- By module, the generation of its rows that belongs to the checkpoint; empty where modules are off.
ALTER TABLE checkpoints ADD COLUMN IF NOT EXISTS generations Map(String, UInt64) AFTER rows
