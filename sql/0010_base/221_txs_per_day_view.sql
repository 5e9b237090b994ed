CREATE MATERIALIZED VIEW IF NOT EXISTS txs_per_day_view TO txs_per_day AS
SELECT max(height) AS height, toDate32(fromUnixTimestamp64Nano(block_time_ns, 'UTC')) AS day, count() AS txs
FROM txs GROUP BY day
