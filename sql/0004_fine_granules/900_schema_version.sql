INSERT INTO facts SELECT 'schema_version', '4', 4
