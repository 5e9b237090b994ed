INSERT INTO facts SELECT 'schema_version', '3', 3
