CREATE MATERIALIZED VIEW IF NOT EXISTS dex_closes_view TO dex_closes AS
SELECT generation, pair, span, toUInt32(intDiv(before_time_ns, span * 1000000000)) AS bucket, height,
    before_time_ns AS close_ns, before_reserve0 AS close0, before_reserve1 AS close1
FROM dex_syncs
ARRAY JOIN [toUInt32(10), toUInt32(60), toUInt32(600), toUInt32(3600), toUInt32(21600), toUInt32(86400)] AS span
WHERE before_reserve0 > 0 AND reserve0 > 0 AND reserve1 > 0
    AND intDiv(before_time_ns, span * 1000000000) != intDiv(time_ns, span * 1000000000)
