import { failure } from './failure.ts';

/** The parameters of a request's URL: those of HTTP, values of the query, and settings of the engine. */

/** Of a server's HTTP layer; what they do is done here or has no meaning for one process. */
const HTTP_PARAMETERS = new Set([
  'query',
  'database',
  'default_format',
  'user',
  'password',
  'query_id',
  'quota_key',
  'session_id',
  'session_timeout',
  'session_check',
  'close_session',
  'enable_http_compression',
  'wait_end_of_query',
  'buffer_size',
  'stacktrace',
  'add_http_cors_header',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'http_response_buffer_size',
  'http_zlib_compression_level',
  'cancel_http_readonly_queries_on_client_close',
  'http_write_exception_in_output_format',
  'client_protocol_version',
  'http_native_compression_disable_checksumming_on_decompress',
  'http_make_head_request',
  'http_receive_timeout',
  'http_send_timeout',
  'http_max_field_value_size',
  'send_logs_level',
  // a session's own name stands there, by which its query is stopped
  'log_comment',
]);

/** What a reader may set: limits, and how results look. None names a file, opens a connection or changes the language. */
const READER_SETTINGS = new Set([
  'max_execution_time',
  'timeout_overflow_mode',
  'max_result_rows',
  'result_overflow_mode',
  'max_rows_to_read',
  'max_bytes_to_read',
  'read_overflow_mode',
  'max_rows_to_group_by',
  'group_by_overflow_mode',
  'max_threads',
  'max_block_size',
  'extremes',
  'limit',
  'offset',
  'final',
  'session_timezone',
  'date_time_output_format',
  'date_time_input_format',
  'join_use_nulls',
  'prefer_column_name_to_alias',
  'optimize_read_in_order',
  'readonly',
  'output_format_decimal_trailing_zeros',
  'output_format_write_statistics',
  'output_format_enable_streaming',
  'format_csv_delimiter',
  'cast_keep_nullable',
  'cast_string_to_dynamic_use_inference',
  'cast_string_to_variant_use_inference',
  'any_join_distinct_right_table_keys',
  'asterisk_include_alias_columns',
  'max_query_size',
  'use_uncompressed_cache',
  'use_skip_indexes',
]);
const READER_SETTING_PREFIX =
  /^output_format_(json|csv|tsv|pretty|native|binary|arrow|parquet|orc|msgpack)_\w+$/;

export function isReaderSetting(name: string): boolean {
  return READER_SETTINGS.has(name) || READER_SETTING_PREFIX.test(name);
}

export interface UrlSettings {
  /** By name, as text. */
  readonly settings: ReadonlyMap<string, string>;
  /** Of `param_x`, by x. */
  readonly parameters: ReadonlyMap<string, string>;
}

const MAX_URL_SETTINGS = 100;
const NAME = /^[A-Za-z_][A-Za-z0-9_.]{0,127}$/;

/**
 * Errors: ACCESS_DENIED for a setting that a reader may not change; BAD_ARGUMENTS for a name that is none, or too many
 * of them; NOT_IMPLEMENTED for ClickHouse's own block compression.
 */
export function readUrlSettings(query: URLSearchParams, isReader: boolean): UrlSettings {
  const settings = new Map<string, string>();
  const parameters = new Map<string, string>();
  for (const [name, value] of query) {
    if (HTTP_PARAMETERS.has(name)) continue;
    if (name === 'compress' || name === 'decompress') {
      if (value === '0' || value === '') continue;
      throw failure(
        'NOT_IMPLEMENTED',
        `${name}=1 is not supported: use Accept-Encoding and Content-Encoding`,
      );
    }
    if (name === 'role') throw failure('ACCESS_DENIED', 'Roles cannot be chosen.');
    if (settings.size + parameters.size >= MAX_URL_SETTINGS) {
      throw failure('BAD_ARGUMENTS', `More than ${MAX_URL_SETTINGS} settings in the URL`);
    }
    if (!NAME.test(name)) throw failure('BAD_ARGUMENTS', `${JSON.stringify(name)} is no setting`);
    if (name.startsWith('param_')) parameters.set(name.slice('param_'.length), value);
    else if (isReader && !isReaderSetting(name)) {
      throw failure('ACCESS_DENIED', `The read-only user may not use the setting ${name}.`);
    } else if (!(isReader && name === 'readonly')) settings.set(name, value);
  }
  return { settings, parameters };
}
