INSERT INTO facts SELECT 'schema_version', '5', 5
