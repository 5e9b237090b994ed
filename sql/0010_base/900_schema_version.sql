INSERT INTO facts SELECT 'schema_version', '10', 10
