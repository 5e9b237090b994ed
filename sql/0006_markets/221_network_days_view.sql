CREATE MATERIALIZED VIEW IF NOT EXISTS network_days_view TO network_days AS
SELECT generation, day, height, transactions, active_addresses, swaps FROM network_counts
