DROP VIEW IF EXISTS txs_per_day_view SYNC
