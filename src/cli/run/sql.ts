import { open, rename, rm } from 'node:fs/promises';
import type { CommandContext } from 'strata-kit/cli/context';
import { isStrataError, StrataError } from 'strata-kit/errors';
import type { StoreChoice } from '../../core/store-choice.ts';
import { EngineFailure } from '../../engine/failure.ts';
import { openFolderReader } from '../../engine/folder-reader.ts';
import { isRefused, MAX_STATEMENT_BYTES, type SqlQuery, type SqlReader } from '../../engine/reader.ts';
import { openServerReader } from '../../engine/server-reader.ts';
import { isDiskFull } from '../../store/disk.ts';
import { describeSyntaxError } from '../../store/engine-error.ts';
import { printable, tableLines } from '../table.ts';

type SqlFormat = 'table' | 'csv' | 'json' | 'parquet';

export interface SqlOptions {
  readonly store: StoreChoice;
  /** Undefined: from stdin. */
  readonly statement: string | undefined;
  readonly format: SqlFormat;
  /** Absolute; undefined for stdout. */
  readonly output: string | undefined;
}

/**
 * strata sql: one statement that only reads, over a data folder that nobody else has open or over a server.
 *
 * Errors: bad_request for what a reader may not ask; store_query_failed, in the engine's words; store_in_use.
 */
export async function sql(options: SqlOptions, context: CommandContext): Promise<void> {
  const text = options.statement ?? (await context.readInput(MAX_STATEMENT_BYTES));
  const reader = await openReader(options, context);
  try {
    const query = { sql: text, ...SHAPES[options.format] };
    const run = (write: (bytes: Uint8Array) => Promise<void>): Promise<void> =>
      ask(reader, query, write, context);
    if (options.format === 'table') await toTable(options, run, context);
    else if (options.output !== undefined) await toFile(options.output, run);
    else await toStdout(run, context);
  } finally {
    await reader.close();
  }
}

/** Of a table, which is for people; the other formats have no such end. */
const MAX_TABLE_ROWS = 10_000;

const SHAPES: Readonly<Record<SqlFormat, Pick<SqlQuery, 'format' | 'settings'>>> = {
  table: {
    format: 'JSONCompactStringsEachRowWithNamesAndTypes',
    settings: new Map([['limit', String(MAX_TABLE_ROWS + 1)]]),
  },
  csv: { format: 'CSVWithNames', settings: new Map() },
  json: {
    format: 'JSONEachRow',
    settings: new Map([
      ['output_format_json_array_of_rows', '1'],
      // whole for every reader: JSON's numbers end at 2^53 for most of them
      ['output_format_json_quote_64bit_integers', '1'],
    ]),
  },
  parquet: { format: 'Parquet', settings: new Map() },
};

async function openReader({ store }: SqlOptions, { log }: CommandContext): Promise<SqlReader> {
  if (store.kind === 'server') return openServerReader(store);
  try {
    return await openFolderReader(store.folder, (error) => log.warn({ err: error }, 'a query did not stop'));
  } catch (error) {
    if (!isStrataError(error, 'store_in_use')) throw error;
    throw new StrataError(
      'store_in_use',
      `${error.message}. To ask while it is indexed or served, run strata engine over the folder and give its URL ` +
        'to both with --clickhouse (docs/sql.md)',
      { cause: error },
    );
  }
}

async function ask(
  reader: SqlReader,
  query: SqlQuery,
  write: (bytes: Uint8Array) => Promise<void>,
  { signal }: CommandContext,
): Promise<void> {
  try {
    await reader.read(query, write, signal);
  } catch (error) {
    if (signal.aborted) throw new StrataError('aborted', 'The query was stopped', { cause: error });
    if (!(error instanceof EngineFailure)) throw error;
    const typo = describeSyntaxError(error.message);
    const message = typo ?? error.message.replace('The read-only user', 'A statement here');
    const isRequest = typo !== undefined || isRefused(error);
    throw new StrataError(isRequest ? 'bad_request' : 'store_query_failed', message, { cause: error });
  }
}

type Run = (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>;

async function toStdout(run: Run, { write }: CommandContext): Promise<void> {
  const decoder = new TextDecoder();
  await run(async (bytes) => write(decoder.decode(bytes, { stream: true })));
  write(decoder.decode());
}

/** Under another name until it is whole, then in the place of what was there. Errors: config_invalid, disk_full. */
async function toFile(path: string, run: Run): Promise<void> {
  const partial = `${path}.part`;
  try {
    const file = await open(partial, 'w').catch((error: unknown) => {
      throw writeFailed(path, error);
    });
    try {
      await run(async (bytes) => {
        await file.writeFile(bytes).catch((error: unknown) => {
          throw writeFailed(path, error);
        });
      });
    } finally {
      await file.close();
    }
    await rename(partial, path).catch((error: unknown) => {
      throw writeFailed(path, error);
    });
  } finally {
    await rm(partial, { force: true });
  }
}

function writeFailed(path: string, cause: unknown): StrataError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const code = isDiskFull(cause) ? 'disk_full' : 'config_invalid';
  return new StrataError(code, `--output ${path} cannot be written: ${reason}`, { cause });
}

async function toTable(options: SqlOptions, run: Run, context: CommandContext): Promise<void> {
  const pieces: Uint8Array[] = [];
  await run(async (bytes) => {
    pieces.push(bytes);
  });
  // a char a byte: what is no text keeps its bytes
  const lines = Buffer.concat(pieces).toString('latin1').split('\n').slice(0, -1);
  const [names = [], types = [], ...rows] = lines.map((line) => JSON.parse(line) as string[]);
  const isCut = rows.length > MAX_TABLE_ROWS;
  const columns = names.map((name, at) => ({
    name: printable(cellOf(name, '')),
    isNumber: isNumeric(types[at] ?? ''),
  }));
  const cells = rows
    .slice(0, MAX_TABLE_ROWS)
    .map((row) => row.map((cell, at) => printable(cellOf(cell, types[at] ?? ''))));
  const table = tableLines(columns, cells, options.output === undefined ? context.columns : undefined);
  const text = `${table.join('\n')}\n`;
  if (options.output === undefined) context.write(text);
  else await toFile(options.output, (write) => write(Buffer.from(text)));
  if (isCut) {
    context.log.warn(
      `these are the first ${MAX_TABLE_ROWS} rows: the rest with --format csv, json or parquet`,
    );
  }
}

/** Hashes and keys in hex, all else as text. */
function cellOf(cell: string, type: string): string {
  // the engine writes two line ends of Unicode as escapes, so they are chars already
  const bytes = cell.replace(/[\u0100-\uffff]/g, (char) => Buffer.from(char, 'utf8').toString('latin1'));
  return Buffer.from(bytes, 'latin1').toString(type.includes('FixedString') ? 'hex' : 'utf8');
}

function isNumeric(type: string): boolean {
  return /^(?:(?:Nullable|LowCardinality)\()*(?:U?Int\d+|Float\d+|BFloat16|Decimal)/.test(type);
}
