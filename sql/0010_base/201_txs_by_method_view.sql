CREATE MATERIALIZED VIEW IF NOT EXISTS txs_by_method_view TO txs_by_method AS
SELECT method, height, tx_index FROM txs
