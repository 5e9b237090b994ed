INSERT INTO facts SELECT 'schema_version', '6', 6
