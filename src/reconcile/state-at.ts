import { StrataError } from 'strata-kit/errors';
import { asOf, latestVersions } from '../api/as-of.ts';
import { areModulesOn } from '../core/layers.ts';
import { selection } from '../core/reading.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { StateAt } from '../modules/export.ts';
import { baseModulesOf } from '../modules/modules.ts';
import { NotComparable } from '../modules/not-comparable.ts';
import { readCheckpoint } from '../store/checkpoints.ts';
import type { Store } from '../store/store.ts';
import { takeTurn } from './turn.ts';

/** For who reads a state beside other work. */
export interface ReadLimits {
  /** Of one table. */
  readonly maxRows?: number;
  readonly timeoutSeconds?: number;
  /** Of the engine. */
  readonly threads?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A whole state is read in one query a table. */
const TIMEOUT_SECONDS = 600;
/** After so many rows other work has its turn. */
const TURN_ROWS = 1_000;

/**
 * The state as of a height; where none is given, of the newest checkpoint, or of `newest` where that is lower. Undefined
 * where the store derives no modules. Errors: store_empty without a commit; config_invalid for a height that the store
 * does not hold. Of each read beyond `limits`: NotComparable.
 */
export async function openStateAt(
  store: Store,
  height?: number,
  newest = Number.POSITIVE_INFINITY,
  limits: ReadLimits = {},
): Promise<{ readonly timeNs: bigint; readonly state: StateAt } | undefined> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no blocks yet');
  const at = height ?? Math.min(checkpoint.height, newest);
  if (at < checkpoint.firstHeight || at > checkpoint.height) {
    throw new StrataError(
      'config_invalid',
      `The store holds heights ${checkpoint.firstHeight} to ${checkpoint.height}, and not ${at}`,
    );
  }
  const { generations } = checkpoint;
  if (!areModulesOn(generations, baseModulesOf())) return undefined;
  const timeNs = at === checkpoint.height ? checkpoint.blockTimeNs : await blockTimeNs(store, at);
  return { timeNs, state: stateAt(store, generations, at, limits) };
}

export function stateAt(
  store: Store,
  generations: ReadonlyMap<string, number>,
  height: number,
  limits: ReadLimits = {},
): StateAt {
  const { maxRows = Number.POSITIVE_INFINITY, timeoutSeconds = TIMEOUT_SECONDS, threads, signal } = limits;
  const bounds =
    (Number.isFinite(maxRows) ? ` LIMIT ${maxRows + 1}` : '') +
    (threads === undefined ? '' : ` SETTINGS max_threads = ${threads}`);
  const assertServed = async (): Promise<void> => {
    const now = await readCheckpoint(store);
    const isSame = [...generations].every(
      ([module, generation]) => now?.generations.get(module) === generation,
    );
    if (now !== undefined && now.height >= height && isSame) return;
    throw new StrataError(
      'store_busy',
      'the store was derived again or rewound while it was compared: compare it again',
      { retryable: true },
    );
  };
  const snapshot = { generations, indexedHeight: height };
  const readRows = async <T>(sql: string, read: (row: RowReader) => T): Promise<readonly T[]> => {
    const rows = new RowReader(await store.query(`${sql}${bounds}`, { timeoutSeconds }));
    const found: T[] = [];
    while (!rows.done) {
      found.push(read(rows));
      if (found.length > maxRows) throw new NotComparable(`a table has more than ${maxRows} records`);
      if (found.length % TURN_ROWS === 0) await takeTurn(signal);
    }
    return found;
  };
  return {
    height,
    assertServed,
    latest(table, names, read, where = '1') {
      const { columns, read: readRow } = selection(table, names);
      return readRows(latestVersions(snapshot, table, columns, where), (row) => read(readRow(row)));
    },
    rows(table, names, where, read) {
      const { columns, read: readRow } = selection(table, names);
      const sql = `SELECT ${columns} FROM ${table.name} WHERE ${asOf(snapshot, table)} AND ${where}`;
      return readRows(sql, (row) => read(readRow(row)));
    },
    select: (columns, { table, columns: inner, where = '1' }, rest, read) =>
      readRows(`SELECT ${columns} FROM (${latestVersions(snapshot, table, inner, where)}) ${rest}`, read),
  };
}

async function blockTimeNs(store: Store, height: number): Promise<bigint> {
  const rows = new RowReader(
    await store.query(`SELECT time_ns FROM blocks WHERE height = ${height} LIMIT 1`),
  );
  if (rows.done) throw new StrataError('store_damaged', `The store has no block at height ${height}`);
  return rows.i64big();
}
