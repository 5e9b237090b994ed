/** What a reader of a store sees. Grants of the embedded engine and the policy of src/engine come from here. */

/** The embedded store, and the standard's description of it, which BI tools ask. */
export const READER_DATABASES: ReadonlySet<string> = new Set([
  'default',
  'information_schema',
  'INFORMATION_SCHEMA',
]);

/** Those that clients ask to show what there is. Paths (data_path, path) are in databases and tables alone. */
export const READER_SYSTEM_TABLES: ReadonlySet<string> = new Set([
  'aggregate_function_combinators',
  'collations',
  'columns',
  'completions',
  'data_skipping_indices',
  'data_type_families',
  'database_engines',
  'databases',
  'dictionaries',
  'formats',
  'functions',
  'keywords',
  'numbers',
  'numbers_mt',
  'one',
  'projections',
  'settings',
  'table_engines',
  'table_functions',
  'tables',
  'time_zones',
  'zeros',
  'zeros_mt',
]);
