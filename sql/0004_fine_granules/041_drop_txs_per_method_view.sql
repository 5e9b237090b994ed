DROP VIEW IF EXISTS txs_per_method_view SYNC
