import { StrataError } from 'strata-kit/errors';
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

const MAX_EXPECTED = 5;
const MAX_TOKEN_CHARS = 40;

/**
 * A syntax error in one short line: where, at what, and a few of the words that could stand there. ClickHouse itself
 * names all of them, hundreds, and repeats the statement. Undefined for every other error.
 */
export function describeSyntaxError(text: string): string | undefined {
  const place =
    /^(.*?)Syntax error[^:]*: failed at position (\d+) \(([\s\S]*?)\)(?: \(line \d+, col \d+\))?: /.exec(
      text,
    );
  if (place === null) return undefined;
  const [, reason = '', position = '', token = ''] = place;
  const at = `Syntax error at position ${position}, at ${JSON.stringify(token.slice(0, MAX_TOKEN_CHARS))}`;
  const unmatched = /Unmatched parentheses: [()[\]{}]+/.exec(text)?.[0];
  if (unmatched !== undefined) return `${at}: ${unmatched}`;
  const list = /Expected one of: ([\s\S]*?)(?:: In scope |\.? \(|\.?$)/.exec(text)?.[1]?.split(', ') ?? [];
  // what can be typed, before the parser's own names of its parts
  const words = [...new Set(list)];
  const keywords = words.filter((word) => /^[A-Z][A-Z ]*$/.test(word));
  const named = (keywords.length > 0 ? keywords : words).slice(0, MAX_EXPECTED);
  if (named.length === 0) return `${at}${reason === '' ? '' : `: ${reason.replace(/[:\s]+$/, '')}`}`;
  const others = words.length - named.length;
  return `${at}: expected ${named.join(', ')}${others > 0 ? ` or ${others} other words` : ''}`;
}

export function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_MESSAGE_CHARS ? `${line.slice(0, MAX_MESSAGE_CHARS)}…` : line;
}

export function messageOf(error: unknown): string {
  return shorten(error instanceof Error ? error.message : String(error));
}
