import { StrataError } from 'strata-kit/errors';
import type { ServerAddress } from '../core/store-choice.ts';
import { messageOf } from '../store/engine-error.ts';
import { quote } from '../store/sql.ts';
import { readRefusedFunctions } from './engine-functions.ts';
import { failure, toFailure } from './failure.ts';
import { checkStatement, type SqlReader } from './reader.ts';
import { checkReaderStatement, type EngineNames } from './reader-policy.ts';

/** Of one statement, on the server too. */
const DEADLINE_SECONDS = 3_600;
/** The server stops it first. */
const MARGIN_MS = 5_000;
/** Of an answer that is no result: an error, or a list of names. */
const MAX_TEXT_BYTES = 1 << 22;

/**
 * A server over HTTP GET, which it takes for read-only whoever asks; what such a query may still reach outside of it is
 * refused here, by the same rules as for the reader of `strata engine`.
 */
export function openServerReader({ url, user, password, database }: ServerAddress): SqlReader {
  const host = new URL(url).host;
  let names: EngineNames | undefined;

  async function ask(
    sql: string,
    settings: Iterable<[string, string]>,
    signal: AbortSignal,
  ): Promise<Response> {
    const query = new URLSearchParams([
      ['query', sql],
      ['database', database],
      // a failure that comes late still has a status of its own
      ['wait_end_of_query', '1'],
      ['max_execution_time', String(DEADLINE_SECONDS)],
      ...settings,
    ]);
    const limits = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_SECONDS * 1_000 + MARGIN_MS)]);
    let response: Response;
    try {
      response = await fetch(`${url}/?${query}`, {
        headers: {
          ...(user === undefined ? {} : { 'X-ClickHouse-User': user }),
          ...(password === undefined ? {} : { 'X-ClickHouse-Key': password }),
        },
        // the password would go along
        redirect: 'error',
        signal: limits,
      });
    } catch (error) {
      throw unreachable(error);
    }
    if (response.ok) return response;
    throw toFailure(new Error((await textOf(response)).trim()));
  }

  function unreachable(cause: unknown): StrataError {
    const reason = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
    return new StrataError('store_unreachable', `The store ${host} does not answer: ${messageOf(reason)}`, {
      cause,
      retryable: true,
    });
  }

  async function* bodyOf(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of response.body ?? []) yield piece as Uint8Array;
    } catch (error) {
      throw unreachable(error);
    }
  }

  async function textOf(response: Response): Promise<string> {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    for await (const piece of bodyOf(response)) {
      bytes += piece.length;
      if (bytes > MAX_TEXT_BYTES) break;
      pieces.push(piece);
    }
    return Buffer.concat(pieces).toString('utf8');
  }

  async function rowsOf(text: string, signal: AbortSignal): Promise<readonly string[]> {
    const response = await ask(`${text} FORMAT TabSeparatedRaw`, [], signal);
    return (await textOf(response)).split('\n').slice(0, -1);
  }

  async function namesOf(rows: (sql: string) => Promise<readonly string[]>): Promise<EngineNames> {
    const own = new Set([database, 'system', 'information_schema', 'INFORMATION_SCHEMA']);
    const databases = await rows('SELECT name FROM system.databases');
    return {
      refusedFunctions: await readRefusedFunctions(rows),
      foreignDatabases: new Set(databases.filter((name) => !own.has(name))),
    };
  }

  return {
    async read({ sql, format, settings }, write, signal) {
      checkStatement(sql);
      if (database.toLowerCase() === 'system')
        throw failure('ACCESS_DENIED', 'The database system is no store.');
      names ??= await namesOf((text) => rowsOf(text, signal));
      const printed = await ask(`SELECT formatQuerySingleLine(${quote(sql)}) FORMAT RawBLOB`, [], signal);
      const formatted = await textOf(printed);
      checkReaderStatement(formatted, names);
      const response = await ask(formatted, [['default_format', format], ...settings], signal);
      for await (const piece of bodyOf(response)) await write(piece);
    },
    close: () => Promise.resolve(),
  };
}
