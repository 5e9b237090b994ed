DROP VIEW IF EXISTS txs_by_method_view SYNC
