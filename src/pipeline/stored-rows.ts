import { bytesToHex } from 'strata-kit/bytes';
import { RowReader } from '../core/rowbinary.ts';
import type {
  EvmTxFact,
  FactFilter,
  FailedTxFact,
  LogFact,
  StoredEvent,
  TransferFact,
} from '../derive/facts.ts';
import { plainEventsIn, plainTypes } from '../derive/plain-events.ts';
import { quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** Rows of stored blocks that facts are made of, each with its height, in the order of heights. */

const READ_SECONDS = 600;

export function heightsBetween(fromHeight: number, toHeight: number): string {
  return `height > ${uintLiteral(fromHeight)} AND height <= ${uintLiteral(toHeight)}`;
}

function oneOf(column: string, values: ReadonlySet<string>): string {
  return `${column} IN (${[...values].map(quote).join(', ')})`;
}

export function limited(limit: number | undefined): string {
  return limit === undefined ? '' : ` LIMIT ${uintLiteral(limit)}`;
}

function wantedEvents({ eventTypes }: FactFilter, heights: string): string {
  return `FROM typed_events WHERE ${heights} AND code = 0 AND ${oneOf('type', eventTypes)}`;
}

export async function readEvents(
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

/** Events without a proto, out of the lists that hold one (src/derive/plain-events.ts). `limit` is of lists. */
export async function readPlainEvents(
  store: Store,
  filter: FactFilter,
  heights: string,
  limit: number | undefined,
): Promise<readonly (readonly [number, StoredEvent])[]> {
  const types = plainTypes(filter);
  if (types.size === 0) return [];
  const places = `FROM events WHERE ${heights} AND ${oneOf('type', types)}`;
  const row = await ask(
    store,
    'SELECT height, place, hash, events FROM (' +
      `SELECT height, toInt32(tx_index) AS place, hash, events FROM txs WHERE ${heights} AND code = 0 ` +
      `AND (height, toInt32(tx_index)) IN (SELECT height, tx_index ${places} AND tx_index >= 0) UNION ALL ` +
      `SELECT height, toInt32(-1) AS place, hash, events FROM blocks WHERE ${heights} ` +
      `AND height IN (SELECT height ${places} AND tx_index < 0)) ORDER BY height, place${limited(limit)}`,
  );
  const found: (readonly [number, StoredEvent])[] = [];
  while (!row.done) {
    const height = row.u64();
    const txIndex = row.i32();
    const hash = Uint8Array.from(row.fixed(32));
    const place = { txIndex, txHash: txIndex < 0 ? undefined : hash };
    for (const event of plainEventsIn(row.string(), types, place)) found.push([height, event]);
  }
  return found;
}

/** One string for all equal ones. */
export function shared(known: Map<string, string>, text: string): string {
  const one = known.get(text);
  if (one !== undefined) return one;
  known.set(text, text);
  return text;
}

export async function readFailedTxs(
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

export async function readTimes(
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

export async function readLogs(
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

export async function readTransfers(
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

export async function readEvmTxs(
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

export async function readEvmTxCounts(
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

/** By height and tx index, of the txs that have events. */
export async function readHashes(
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

export async function ask(store: Store, sql: string): Promise<RowReader> {
  return new RowReader(await store.query(sql, { timeoutSeconds: READ_SECONDS }));
}
