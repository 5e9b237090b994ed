CREATE MATERIALIZED VIEW IF NOT EXISTS txs_per_method_view TO txs_per_method AS
SELECT max(height) AS height, method, count() AS txs FROM txs GROUP BY method
