import { StrataError } from 'strata-kit/errors';
import { RowReader } from '../core/rowbinary.ts';
import { readCheckpoint } from './checkpoints.ts';
import { uintLiteral } from './sql.ts';
import type { Store } from './store.ts';

/** What of a range of heights was decoded, and what was kept as the chain's bytes. */
export interface Coverage {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly messages: Counts;
  /** Events whose type is a full proto name, such as `cosmos.evm.vm.v1.EventTxLog`. */
  readonly events: Counts;
  /** Messages whose type says that they hold an Ethereum tx; decoded: those that have an EVM view. */
  readonly ethereum: Counts;
  /** Blocks that were kept although their results could not be used. */
  readonly badBlocks: number;
  /** The least decoded first, of each kind MAX_TYPES at most. */
  readonly types: readonly TypeCoverage[];
}

export interface Counts {
  readonly seen: number;
  readonly decoded: number;
}

export interface TypeCoverage extends Counts {
  readonly kind: 'message' | 'event';
  /** Type URL of a message, full proto name of an event. */
  readonly type: string;
  readonly firstHeight: number;
  readonly lastHeight: number;
}

const MAX_TYPES = 1_000;
const SECONDS = 600;
/** Of cosmos/evm, ethermint, Injective and Sei. */
const ETHEREUM = /\.(?:MsgEthereumTx|MsgEVMTransaction)$/;

/**
 * Counts messages and typed events by type. A message is undecoded where it has nothing but `@type` and a base64 `value`;
 * messages within others, as of authz, are not counted. Reads the texts of every tx of the range.
 * Errors: store_empty, config_invalid for a range without a block of the store, those of Store.query.
 */
export async function readCoverage(
  store: Store,
  range: { readonly fromHeight: number | undefined; readonly toHeight: number | undefined },
): Promise<Coverage> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no chain yet');
  const fromHeight = Math.max(range.fromHeight ?? 0, checkpoint.firstHeight);
  const toHeight = Math.min(range.toHeight ?? checkpoint.height, checkpoint.height);
  if (fromHeight > toHeight) {
    throw new StrataError(
      'config_invalid',
      `the store holds heights ${checkpoint.firstHeight} to ${checkpoint.height}, none of those asked for`,
    );
  }
  const heights = `height >= ${uintLiteral(fromHeight)} AND height <= ${uintLiteral(toHeight)}`;
  const messages = await readTypes(store, 'message', messageTypes(heights));
  const events = await readTypes(store, 'event', eventTypes(heights));
  const views = await count(store, `evm_txs WHERE ${heights}`);
  const ethereum = sum(messages.filter(({ type }) => ETHEREUM.test(type)));
  return {
    fromHeight,
    toHeight,
    messages: sum(messages),
    events: sum(events),
    ethereum: { seen: Math.max(ethereum.seen, views), decoded: views },
    badBlocks: await count(store, `bad_blocks WHERE ${heights}`),
    types: [...messages, ...events],
  };
}

function messageTypes(heights: string): string {
  return `SELECT type, count() AS seen, countIf(NOT is_raw) AS decoded, min(height), max(height) FROM (
SELECT height, arrayJoin(JSONExtractArrayRaw(msgs)) AS message, JSONExtractString(message, '@type') AS type,
length(JSONExtractKeys(message)) = 2 AND match(JSONExtractString(message, 'value'), '^[A-Za-z0-9+/]*={0,2}$')
AND JSONType(message, 'value') = 'String' AS is_raw
FROM txs WHERE ${heights}) GROUP BY type`;
}

function eventTypes(heights: string): string {
  const isTyped = "position(toString(type), '.') > 0";
  return `SELECT toString(type), sum(is_event) AS seen, sum(1 - is_event) AS decoded, min(height), max(height) FROM (
SELECT height, type, toUInt64(1) AS is_event FROM events WHERE ${heights} AND ${isTyped} UNION ALL
SELECT height, type, toUInt64(0) AS is_event FROM typed_events WHERE ${heights} AND ${isTyped}) GROUP BY type`;
}

async function readTypes(store: Store, kind: TypeCoverage['kind'], sql: string): Promise<TypeCoverage[]> {
  const row = new RowReader(
    await store.query(`${sql} ORDER BY seen = decoded, seen DESC, type LIMIT ${MAX_TYPES}`, {
      timeoutSeconds: SECONDS,
    }),
  );
  const types: TypeCoverage[] = [];
  while (!row.done) {
    const type = row.string();
    const counts = { seen: row.u64(), decoded: row.u64() };
    types.push({ kind, type, ...counts, firstHeight: row.u64(), lastHeight: row.u64() });
  }
  return types;
}

async function count(store: Store, from: string): Promise<number> {
  return new RowReader(await store.query(`SELECT count() FROM ${from}`, { timeoutSeconds: SECONDS })).u64();
}

function sum(types: readonly Counts[]): Counts {
  return types.reduce(
    (total, { seen, decoded }) => ({ seen: total.seen + seen, decoded: total.decoded + decoded }),
    { seen: 0, decoded: 0 },
  );
}
