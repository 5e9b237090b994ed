INSERT INTO facts SELECT 'schema_version', '2', 2
