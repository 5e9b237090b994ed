INSERT INTO facts SELECT 'schema_version', '9', 9
