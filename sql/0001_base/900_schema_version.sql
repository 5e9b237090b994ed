INSERT INTO facts SELECT 'schema_version', '1', 1
