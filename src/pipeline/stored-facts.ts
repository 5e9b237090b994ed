import { bytesToHex } from '../core/bytes.ts';
import { RowReader } from '../core/rowbinary.ts';
import {
  type BlockFacts,
  type EventFact,
  type EvmTxFact,
  type FactFilter,
  type FailedTxFact,
  inOrderOfDerivation,
  type LogFact,
  type StoredEvent,
  type TransferFact,
} from '../derive/facts.ts';
import { quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** Facts of heights (from, to], with how many events they hold. */
export interface FactRange {
  readonly toHeight: number;
  readonly blocks: readonly BlockFacts[];
  readonly events: number;
}

export interface StoredFactsOptions {
  readonly filter: FactFilter;
  /** Behind this height… */
  readonly fromHeight: number;
  /** …up to this one. */
  readonly toHeight: number;
  /** Rows of each kind that a range may have, unless one height has more; 30,000 by default. */
  readonly maxRows?: number;
  /** Heights that a range may have; 5,000 by default. */
  readonly maxHeights?: number;
  /** Pairs of height and account that are read at once, unless 64 heights have more; 500,000 by default. */
  readonly maxAccountRows?: number;
}

const MAX_ROWS = 30_000;
const MAX_HEIGHTS = 5_000;
const READ_SECONDS = 600;

/**
 * The facts of stored blocks, as src/derive/native-facts.ts gives them of blocks that were decoded just now, range after
 * range. While one is worked on the next is read: two are held at a time.
 * Errors: store_query_failed, store_unreachable.
 */
export async function* storedFacts(store: Store, options: StoredFactsOptions): AsyncGenerator<FactRange> {
  const { fromHeight, toHeight } = options;
  if (fromHeight >= toHeight) return;
  const accounts = createAccountWindow(store, options);
  const { maxHeights = MAX_HEIGHTS } = options;
  /** What limits cut off is read again: a range asks for twice as many heights as the last one had at most. */
  let heights = maxHeights;
  const read = async (from: number): Promise<FactRange> => {
    const range = await readRange(store, options, from, Math.min(toHeight, from + heights), accounts);
    heights = Math.min(maxHeights, 2 * (range.toHeight - from));
    return range;
  };
  let next: Promise<FactRange> | undefined = read(fromHeight);
  try {
    while (next !== undefined) {
      const range: FactRange = await next;
      next = range.toHeight < toHeight ? read(range.toHeight) : undefined;
      // awaited a range later, when it may have failed long ago
      next?.catch(() => undefined);
      yield range;
    }
  } finally {
    await next?.catch(() => undefined);
  }
}

async function readRange(
  store: Store,
  options: StoredFactsOptions,
  fromHeight: number,
  wanted: number,
  accounts: AccountWindow,
): Promise<FactRange> {
  const { filter, maxRows = MAX_ROWS } = options;
  const [events, failed, logs, transfers, evmTxs] = await Promise.all([
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readEvents(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readFailedTxs(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readLogs(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readTransfers(store, filter, heights, limit)),
    readUpTo(fromHeight, wanted, maxRows, (heights, limit) => readEvmTxs(store, filter, heights, limit)),
  ]);
  const complete = Math.min(...[events, failed, logs, transfers, evmTxs].map((read) => read.toHeight));
  const { toHeight, byHeight: accountsOf } = await accounts.read(fromHeight, complete);
  const heights = heightsBetween(fromHeight, toHeight);
  const [times, hashes, evmTxCounts] = await Promise.all([
    readTimes(store, heights),
    readHashes(store, filter, heights),
    readEvmTxCounts(store, filter, heights),
  ]);
  let count = 0;
  const blocks = times.map(({ height, timeNs, txCount }) => {
    const stored = events.byHeight.get(height) ?? [];
    count += stored.length;
    const hashesOf = hashes.get(height);
    const facts: readonly EventFact[] = inOrderOfDerivation(
      stored.map((event) => ({ ...event, txHash: hashesOf?.get(event.txIndex) })),
    );
    return {
      height,
      timeNs,
      txCount,
      evmTxCount: evmTxCounts.get(height) ?? 0,
      events: facts,
      failedTxs: failed.byHeight.get(height) ?? [],
      logs: logs.byHeight.get(height) ?? [],
      transfers: transfers.byHeight.get(height) ?? [],
      evmTxs: evmTxs.byHeight.get(height) ?? [],
      accounts: accountsOf.get(height) ?? [],
    };
  });
  return { toHeight, blocks, events: count };
}

interface RowsByHeight<T> {
  /** All rows up to here are there. */
  readonly toHeight: number;
  readonly byHeight: ReadonlyMap<number, T[]>;
}

type ReadRows<T> = (heights: string, limit: number | undefined) => Promise<readonly (readonly [number, T])[]>;

/** Rows behind a height, up to `wanted` or as many whole heights as hold `maxRows`; one height at least. */
async function readUpTo<T>(
  fromHeight: number,
  wanted: number,
  maxRows: number,
  read: ReadRows<T>,
): Promise<RowsByHeight<T>> {
  let rows = await read(heightsBetween(fromHeight, wanted), maxRows + 1);
  let toHeight = wanted;
  if (rows.length > maxRows) {
    // the last height may be cut
    const [cut = wanted] = rows.at(-1) ?? [];
    toHeight = cut - 1;
    if (toHeight <= fromHeight) {
      toHeight = fromHeight + 1;
      rows = await read(heightsBetween(fromHeight, toHeight), undefined);
    }
  }
  const byHeight = new Map<number, T[]>();
  for (const [height, row] of rows) {
    if (height > toHeight) break;
    const others = byHeight.get(height);
    if (others === undefined) byHeight.set(height, [row]);
    else others.push(row);
  }
  return { toHeight, byHeight };
}

function heightsBetween(fromHeight: number, toHeight: number): string {
  return `height > ${uintLiteral(fromHeight)} AND height <= ${uintLiteral(toHeight)}`;
}

function oneOf(column: string, values: ReadonlySet<string>): string {
  return `${column} IN (${[...values].map(quote).join(', ')})`;
}

function limited(limit: number | undefined): string {
  return limit === undefined ? '' : ` LIMIT ${uintLiteral(limit)}`;
}

function wantedEvents({ eventTypes }: FactFilter, heights: string): string {
  return `FROM typed_events WHERE ${heights} AND code = 0 AND ${oneOf('type', eventTypes)}`;
}

async function readEvents(
  store: Store,
  filter: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, Omit<StoredEvent, 'txHash'> & { txHash: undefined }])[]> {
  if (filter.eventTypes.size === 0) return [];
  const row = await ask(
    store,
    `SELECT height, tx_index, event_index, toString(type), toString(mode), decoded ${wantedEvents(filter, heights)} ` +
      `ORDER BY height, tx_index, event_index${limited(limit)}`,
  );
  const types = new Map<string, string>();
  const events: (readonly [number, StoredEvent & { txHash: undefined }])[] = [];
  while (!row.done) {
    const height = row.u64();
    const txIndex = row.i32();
    const eventIndex = row.u32();
    const type = shared(types, row.string());
    const mode = row.string();
    events.push([height, { type, txIndex, eventIndex, txHash: undefined, mode, decoded: row.string() }]);
  }
  return events;
}

/** One string for all equal ones. */
function shared(known: Map<string, string>, text: string): string {
  const one = known.get(text);
  if (one !== undefined) return one;
  known.set(text, text);
  return text;
}

async function readFailedTxs(
  store: Store,
  { codespaces }: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, FailedTxFact])[]> {
  if (codespaces.size === 0) return [];
  const row = await ask(
    store,
    'SELECT height, tx_index, hash, code, toString(codespace), raw_log, msgs FROM txs ' +
      `WHERE ${heights} AND code != 0 AND ${oneOf('codespace', codespaces)} ORDER BY height, tx_index${limited(limit)}`,
  );
  const txs: (readonly [number, FailedTxFact])[] = [];
  while (!row.done) {
    const height = row.u64();
    const txIndex = row.u32();
    const txHash = Uint8Array.from(row.fixed(32));
    const code = row.u32();
    const codespace = row.string();
    txs.push([height, { txIndex, txHash, code, codespace, rawLog: row.string(), msgs: row.string() }]);
  }
  return txs;
}

async function readTimes(
  store: Store,
  heights: string,
): Promise<readonly { readonly height: number; readonly timeNs: bigint; readonly txCount: number }[]> {
  const row = await ask(
    store,
    `SELECT height, time_ns, tx_count FROM blocks WHERE ${heights} ORDER BY height`,
  );
  const times: { height: number; timeNs: bigint; txCount: number }[] = [];
  while (!row.done) times.push({ height: row.u64(), timeNs: row.i64big(), txCount: row.u32() });
  return times;
}

async function readLogs(
  store: Store,
  { logs }: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, LogFact])[]> {
  const conditions = logs.flatMap(({ address, topics, children }) => {
    const own = children === undefined ? topics : [...topics, children.told];
    const ofChildren = children?.topics ?? [];
    return [
      ...(own.length === 0 ? [] : [logsWanted(`address = ${unhex(address)}`, own)]),
      ...(children === undefined || ofChildren.length === 0
        ? []
        : [logsWanted(childOf(address, children.told), ofChildren)]),
    ];
  });
  if (conditions.length === 0) return [];
  const columns =
    'height, tx_index, msg_index, log_index, address, topic_count, topic0, topic1, topic2, topic3, data';
  const row = await ask(
    store,
    `SELECT ${columns} FROM evm_logs WHERE ${heights} AND (${conditions.join(' OR ')}) ` +
      `AND (height, tx_index) NOT IN (${failures(heights)}) ` +
      `ORDER BY height, tx_index, msg_index, log_index${limited(limit)}`,
  );
  const facts: (readonly [number, LogFact])[] = [];
  while (!row.done) {
    const height = row.u64();
    const place = { txIndex: row.u32(), msgIndex: row.u32(), logIndex: row.u32() };
    const address = bytesToHex(row.fixed(20));
    const count = row.u8();
    const topics = [0, 1, 2, 3].map(() => bytesToHex(row.fixed(32))).slice(0, count);
    facts.push([height, { ...place, address, topics, data: Uint8Array.from(row.bytes()) }]);
  }
  return facts;
}

function logsWanted(whose: string, topics: readonly string[]): string {
  return `(${whose} AND topic0 IN (${topics.map(unhex).join(', ')}))`;
}

/** The address of a contract that another one has made is the last 20 bytes of the first word of what that one tells. */
function childOf(maker: string, told: string): string {
  return (
    'address IN (SELECT toFixedString(substring(data, 13, 20), 20) FROM evm_logs ' +
    `WHERE address = ${unhex(maker)} AND topic0 = ${unhex(told)} AND length(data) >= 32)`
  );
}

function unhex(hex: string): string {
  return `unhex(${quote(hex)})`;
}

async function readTransfers(
  store: Store,
  { transferSenders }: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, TransferFact])[]> {
  if (transferSenders.size === 0) return [];
  const row = await ask(
    store,
    'SELECT height, tx_index, event_index, sender, recipient, amount FROM transfers ' +
      `WHERE ${heights} AND tx_index >= 0 AND ${oneOf('sender', transferSenders)} ` +
      `AND (height, toUInt32(tx_index)) NOT IN (${failures(heights)}) ORDER BY height, tx_index, event_index${limited(limit)}`,
  );
  const facts: (readonly [number, TransferFact])[] = [];
  while (!row.done) {
    const height = row.u64();
    const place = { txIndex: row.i32(), eventIndex: row.u32() };
    facts.push([height, { ...place, sender: row.string(), recipient: row.string(), amount: row.string() }]);
  }
  return facts;
}

async function readEvmTxs(
  store: Store,
  { evmTxs }: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, EvmTxFact])[]> {
  if (!evmTxs) return [];
  const row = await ask(
    store,
    `SELECT height, tx_index, msg_index, sender FROM evm_txs WHERE ${heights} AND status = 1 ` +
      `AND (height, tx_index) NOT IN (${failures(heights)}) ORDER BY height, tx_index, msg_index${limited(limit)}`,
  );
  const facts: (readonly [number, EvmTxFact])[] = [];
  while (!row.done) {
    const height = row.u64();
    const place = { txIndex: row.u32(), msgIndex: row.u32() };
    facts.push([height, { ...place, sender: bytesToHex(row.fixed(20)) }]);
  }
  return facts;
}

function failures(heights: string): string {
  return `SELECT height, tx_index FROM txs WHERE ${heights} AND code != 0`;
}

async function readEvmTxCounts(
  store: Store,
  { evmTxs }: FactFilter,
  heights: string,
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  if (!evmTxs) return counts;
  const row = await ask(
    store,
    `SELECT height, count() FROM evm_txs WHERE ${heights} AND msg_index = 0 GROUP BY height`,
  );
  while (!row.done) counts.set(row.u64(), row.u64());
  return counts;
}

/**
 * The accounts of heights, read ahead: account_txs is ordered by account, so that each reading looks at the heights of
 * all its rows, and the fewer there are the better.
 */
interface AccountWindow {
  /** Those of heights (from, to], or of the first of them. Called in the order of heights. */
  read(fromHeight: number, toHeight: number): Promise<RowsByHeight<string>>;
}

const NO_ACCOUNTS: ReadonlyMap<number, string[]> = new Map();
const WINDOW_ROWS = 500_000;
/** Heights whose rows are counted together, so that a window is cut before it is read. */
const COUNTED_HEIGHTS = 64;

function createAccountWindow(store: Store, options: StoredFactsOptions): AccountWindow {
  const { filter, maxAccountRows = WINDOW_ROWS } = options;
  let window: RowsByHeight<string> = { toHeight: options.fromHeight, byHeight: NO_ACCOUNTS };
  let counts: Promise<readonly RowsUpTo[]> | undefined;
  return {
    async read(fromHeight, toHeight) {
      if (!filter.accounts) return { toHeight, byHeight: NO_ACCOUNTS };
      if (window.toHeight <= fromHeight) {
        counts ??= countAccounts(store, options);
        const wanted = endOfWindow(await counts, fromHeight, options.toHeight, maxAccountRows);
        window = await readUpTo(fromHeight, wanted, maxAccountRows, (heights, limit) =>
          readAccounts(store, heights, limit),
        );
      }
      return { toHeight: Math.min(toHeight, window.toHeight), byHeight: window.byHeight };
    },
  };
}

interface RowsUpTo {
  readonly toHeight: number;
  /** Behind the entry before. */
  readonly rows: number;
}

async function countAccounts(
  store: Store,
  { fromHeight, toHeight }: StoredFactsOptions,
): Promise<readonly RowsUpTo[]> {
  const row = await ask(
    store,
    `SELECT toUInt64(intDiv(height - 1, ${COUNTED_HEIGHTS}) + 1) * ${COUNTED_HEIGHTS} AS last, count() ` +
      `FROM account_txs WHERE ${heightsBetween(fromHeight, toHeight)} GROUP BY last ORDER BY last`,
  );
  const counts: RowsUpTo[] = [];
  while (!row.done) counts.push({ toHeight: row.u64(), rows: row.u64() });
  return counts;
}

/** Up to where there are at most so many rows, in whole entries; one of them at least. */
function endOfWindow(
  counts: readonly RowsUpTo[],
  fromHeight: number,
  toHeight: number,
  maxRows: number,
): number {
  let rows = 0;
  let end: number | undefined;
  for (const each of counts) {
    if (each.toHeight <= fromHeight) continue;
    rows += each.rows;
    if (end !== undefined && rows > maxRows) return Math.min(end, toHeight);
    end = each.toHeight;
  }
  return toHeight;
}

async function readAccounts(
  store: Store,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, string])[]> {
  const row = await ask(
    store,
    `SELECT DISTINCT height, account FROM account_txs WHERE ${heights} ORDER BY height${limited(limit)}`,
  );
  const known = new Map<string, string>();
  const accounts: (readonly [number, string])[] = [];
  while (!row.done) accounts.push([row.u64(), shared(known, row.string())]);
  return accounts;
}

/** By height and tx index, of the txs that have events. */
async function readHashes(
  store: Store,
  filter: FactFilter,
  heights: string,
): Promise<ReadonlyMap<number, ReadonlyMap<number, Uint8Array>>> {
  const hashes = new Map<number, Map<number, Uint8Array>>();
  if (filter.eventTypes.size === 0) return hashes;
  const row = await ask(
    store,
    `SELECT height, tx_index, hash FROM txs WHERE ${heights} ` +
      `AND (height, tx_index) IN (SELECT height, toUInt32(tx_index) ${wantedEvents(filter, heights)} AND tx_index >= 0)`,
  );
  while (!row.done) {
    const height = row.u64();
    const ofHeight = hashes.get(height) ?? new Map<number, Uint8Array>();
    hashes.set(height, ofHeight);
    const txIndex = row.u32();
    ofHeight.set(txIndex, Uint8Array.from(row.fixed(32)));
  }
  return hashes;
}

async function ask(store: Store, sql: string): Promise<RowReader> {
  return new RowReader(await store.query(sql, { timeoutSeconds: READ_SECONDS }));
}
