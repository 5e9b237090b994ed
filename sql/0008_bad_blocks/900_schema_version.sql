INSERT INTO facts SELECT 'schema_version', '8', 8
