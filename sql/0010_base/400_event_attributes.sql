-- Every attribute of every event, unfolded from the JSON texts; tx_index -1 for block-level events.
CREATE VIEW IF NOT EXISTS event_attributes AS
SELECT
    height,
    tx_index,
    JSONExtractUInt(event, 'event_index') AS event_index,
    JSONExtractString(event, 'type') AS type,
    JSONExtractString(attribute, 'key') AS key,
    JSONExtractString(attribute, 'value') AS value
FROM
(
    SELECT height, toInt32(tx_index) AS tx_index, arrayJoin(JSONExtractArrayRaw(events)) AS event FROM txs
    UNION ALL
    SELECT height, toInt32(-1) AS tx_index, arrayJoin(JSONExtractArrayRaw(events)) AS event FROM blocks
)
ARRAY JOIN JSONExtractArrayRaw(event, 'attributes') AS attribute
