INSERT INTO facts SELECT 'schema_version', '7', 7
