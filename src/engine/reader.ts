import type { EngineFailure } from './failure.ts';
import { failure } from './failure.ts';
import { describeStatement } from './statement.ts';

/**
 * A store that is asked in SQL and never written: what a reader of `strata engine` may ask, and no more, whether the
 * engine runs in this process (folder-reader.ts) or is a server (server-reader.ts).
 */
export interface SqlReader {
  /**
   * Gives the result in one of ClickHouse's output formats, piece by piece. Errors: EngineFailure, with ACCESS_DENIED
   * for what a reader may not; store_unreachable.
   */
  read(query: SqlQuery, write: (bytes: Uint8Array) => Promise<void>, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface SqlQuery {
  /** One statement without FORMAT. */
  readonly sql: string;
  readonly format: string;
  /** Of READER_SETTINGS, by name. */
  readonly settings: ReadonlyMap<string, string>;
}

/** Below what ClickHouse parses (262,144) and what a server takes in a URL. */
export const MAX_STATEMENT_BYTES = 200_000;

/** Errors: SYNTAX_ERROR, BAD_ARGUMENTS, QUERY_IS_TOO_LARGE. */
export function checkStatement(sql: string): void {
  const bytes = Buffer.byteLength(sql);
  if (bytes > MAX_STATEMENT_BYTES) {
    throw failure(
      'QUERY_IS_TOO_LARGE',
      `The statement has ${bytes} bytes, more than ${MAX_STATEMENT_BYTES}.`,
    );
  }
  const { verb, hasSecond, format } = describeStatement(sql);
  if (verb === '') throw failure('SYNTAX_ERROR', 'The statement is empty.');
  if (hasSecond) throw failure('SYNTAX_ERROR', 'There is more than one statement.');
  if (format !== undefined) {
    throw failure(
      'BAD_ARGUMENTS',
      `FORMAT ${format} stands in the statement: the caller chooses the format.`,
    );
  }
}

/** Whether the reader's rules refuse it, not the engine. */
export function isRefused({ type }: EngineFailure): boolean {
  return ['ACCESS_DENIED', 'READONLY', 'BAD_ARGUMENTS', 'QUERY_IS_TOO_LARGE'].includes(type);
}
