import { StrataError } from '../core/errors.ts';
import { isDiskFull } from './disk.ts';

const MAX_MESSAGE_CHARS = 600;

/** The engine's own error: its number, e.g. 60, its name, e.g. UNKNOWN_TABLE, and its text. */
export interface EngineError {
  readonly code: number;
  readonly type: string;
  readonly message: string;
}

/**
 * Undefined for an error of the transport. By shape and not by class: the embedded engine and the HTTP client each
 * bring a copy of the class.
 */
export function asEngineError(error: unknown): EngineError | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, type } = error as Error & { code?: unknown; type?: unknown };
  if (typeof code !== 'string' || !/^\d+$/.test(code)) return undefined;
  return { code: Number(code), type: typeof type === 'string' ? type : '', message: error.message };
}

/** store_query_failed, or disk_full, with ClickHouse's number and name, its text shortened. */
export function queryFailed(what: string, error: EngineError, cause: unknown): StrataError {
  const name = error.type === '' ? '' : ` ${error.type}`;
  return new StrataError(
    isDiskFull(cause) ? 'disk_full' : 'store_query_failed',
    `${what}: ClickHouse error ${error.code}${name}: ${shorten(error.message)}`,
    {
      cause,
    },
  );
}

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}…` : line;
}

export function messageOf(error: unknown): string {
  return shorten(error instanceof Error ? error.message : String(error));
}
