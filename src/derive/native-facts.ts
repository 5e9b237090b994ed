import { StrataError } from '../core/errors.ts';
import type { ColumnType, TableBlock } from '../core/tables.ts';
import {
  type BlockFacts,
  type EvmTxFact,
  type FactFilter,
  type FailedTxFact,
  inOrderOfDerivation,
  type LogFact,
  type StoredEvent,
  type TransferFact,
} from './facts.ts';

/**
 * Facts of blocks that were decoded just now, read from the Native blocks of their tables, so that they are the same
 * facts that the store gives back later (src/store/stored-facts.ts).
 */
export function readNativeFacts(
  headers: readonly { readonly height: number; readonly timeNs: bigint; readonly txCount: number }[],
  tables: readonly TableBlock[],
  filter: FactFilter,
): readonly BlockFacts[] {
  const columnsOf = (name: string) => {
    const block = tables.find(({ table }) => table === name);
    return block === undefined ? undefined : new NativeColumns(block);
  };
  const txs = columnsOf('txs');
  const events = new Map<number, StoredEvent[]>();
  const typed = columnsOf('typed_events');
  if (typed !== undefined) readEvents(typed, filter, txs, events);
  const failed = txs === undefined ? new Map<number, FailedTxFact[]>() : readFailedTxs(txs, filter);
  const failures = txs === undefined ? new Set<string>() : readFailures(txs);
  const more = {
    evm: readEvmTxs(columnsOf('evm_txs'), filter, failures),
    logs: readLogs(columnsOf('evm_logs'), filter),
    transfers: readTransfers(columnsOf('transfers'), filter, failures),
    accounts: filter.accounts ? readAccounts(columnsOf('account_txs')) : new Map<number, Set<string>>(),
  };
  return headers.map(({ height, timeNs, txCount }) => ({
    height,
    timeNs,
    txCount,
    evmTxCount: more.evm.get(height)?.count ?? 0,
    events: inOrderOfDerivation(events.get(height) ?? []),
    failedTxs: failed.get(height) ?? [],
    logs: more.logs.get(height)?.sort(byLog) ?? [],
    transfers: more.transfers.get(height)?.sort(byEvent) ?? [],
    evmTxs: more.evm.get(height)?.succeeded.sort(byMessage) ?? [],
    accounts: [...(more.accounts.get(height) ?? [])],
  }));
}

export function byLog(a: LogFact, b: LogFact): number {
  return a.txIndex - b.txIndex || a.logIndex - b.logIndex;
}

export function byEvent(a: TransferFact, b: TransferFact): number {
  return a.txIndex - b.txIndex || a.eventIndex - b.eventIndex;
}

export function byMessage(a: EvmTxFact, b: EvmTxFact): number {
  return a.txIndex - b.txIndex || a.msgIndex - b.msgIndex;
}

/** Heights and tx indexes of failed txs, as failureKey. */
function readFailures(txs: NativeColumns): ReadonlySet<string> {
  const found = new Set<string>();
  const codes = txs.column('code');
  const heights = txs.column('height');
  const txIndexes = txs.column('tx_index');
  for (let row = 0; row < txs.rows; row++) {
    if (codes.u32(row) !== 0) found.add(failureKey(heights.u64(row), txIndexes.u32(row)));
  }
  return found;
}

function failureKey(height: number, txIndex: number): string {
  return `${height}/${txIndex}`;
}

interface EvmTxsOfHeight {
  /** Whose first message is an Ethereum one. */
  count: number;
  readonly succeeded: EvmTxFact[];
}

function readEvmTxs(
  table: NativeColumns | undefined,
  filter: FactFilter,
  failures: ReadonlySet<string>,
): ReadonlyMap<number, EvmTxsOfHeight> {
  const found = new Map<number, EvmTxsOfHeight>();
  if (table === undefined || !filter.evmTxs) return found;
  const heights = table.column('height');
  const txIndexes = table.column('tx_index');
  const msgIndexes = table.column('msg_index');
  const senders = table.column('sender');
  const statuses = table.column('status');
  for (let row = 0; row < table.rows; row++) {
    const height = heights.u64(row);
    const txIndex = txIndexes.u32(row);
    const msgIndex = msgIndexes.u32(row);
    const ofHeight = found.get(height) ?? { count: 0, succeeded: [] };
    found.set(height, ofHeight);
    if (msgIndex === 0) ofHeight.count++;
    if (statuses.u8(row) !== 1 || failures.has(failureKey(height, txIndex))) continue;
    ofHeight.succeeded.push({ txIndex, msgIndex, sender: senders.hex(row) });
  }
  return found;
}

/** Children of a contract are not told from others here: their topics alone are. */
function readLogs(table: NativeColumns | undefined, filter: FactFilter): ReadonlyMap<number, LogFact[]> {
  const found = new Map<number, LogFact[]>();
  if (table === undefined || filter.logs.length === 0) return found;
  const wanted = filter.logs.flatMap(({ topics, children }) => [
    ...topics,
    ...(children === undefined ? [] : [children.told, ...children.topics]),
  ]);
  const topics = [...new Set(wanted)].map((topic) => Buffer.from(topic, 'hex'));
  const heights = table.column('height');
  const txIndexes = table.column('tx_index');
  const msgIndexes = table.column('msg_index');
  const logIndexes = table.column('log_index');
  const addresses = table.column('address');
  const counts = table.column('topic_count');
  const topicColumns = ['topic0', 'topic1', 'topic2', 'topic3'].map((name) => table.column(name));
  const [first] = topicColumns;
  const datas = table.column('data');
  for (let row = 0; row < table.rows; row++) {
    if (!topics.some((topic) => first?.equals(row, topic))) continue;
    const height = heights.u64(row);
    const fact = {
      txIndex: txIndexes.u32(row),
      msgIndex: msgIndexes.u32(row),
      logIndex: logIndexes.u32(row),
      address: addresses.hex(row),
      topics: topicColumns.slice(0, counts.u8(row)).map((column) => column.hex(row)),
      data: datas.bytes(row),
    };
    const ofHeight = found.get(height);
    if (ofHeight === undefined) found.set(height, [fact]);
    else ofHeight.push(fact);
  }
  return found;
}

function readTransfers(
  table: NativeColumns | undefined,
  { transferSenders }: FactFilter,
  failures: ReadonlySet<string>,
): ReadonlyMap<number, TransferFact[]> {
  const found = new Map<number, TransferFact[]>();
  if (table === undefined || transferSenders.size === 0) return found;
  const heights = table.column('height');
  const txIndexes = table.column('tx_index');
  const eventIndexes = table.column('event_index');
  const senders = table.column('sender');
  const recipients = table.column('recipient');
  const amounts = table.column('amount');
  for (let row = 0; row < table.rows; row++) {
    const sender = senders.text(row);
    const txIndex = txIndexes.i32(row);
    if (txIndex < 0 || !transferSenders.has(sender)) continue;
    const height = heights.u64(row);
    if (failures.has(failureKey(height, txIndex))) continue;
    const fact = {
      txIndex,
      eventIndex: eventIndexes.u32(row),
      sender,
      recipient: recipients.text(row),
      amount: amounts.text(row),
    };
    const ofHeight = found.get(height);
    if (ofHeight === undefined) found.set(height, [fact]);
    else ofHeight.push(fact);
  }
  return found;
}

function readAccounts(table: NativeColumns | undefined): ReadonlyMap<number, Set<string>> {
  const found = new Map<number, Set<string>>();
  if (table === undefined) return found;
  const heights = table.column('height');
  const accounts = table.column('account');
  for (let row = 0; row < table.rows; row++) {
    const height = heights.u64(row);
    const account = accounts.text(row);
    const ofHeight = found.get(height);
    if (ofHeight === undefined) found.set(height, new Set([account]));
    else ofHeight.add(account);
  }
  return found;
}

/** Rows of txs are those of each height in a row, from tx index 0 on. */
function firstRows(txs: NativeColumns): ReadonlyMap<number, number> {
  const heights = txs.column('height');
  const first = new Map<number, number>();
  let before = -1;
  for (let row = 0; row < txs.rows; row++) {
    const height = heights.u64(row);
    if (height !== before) first.set(height, row);
    before = height;
  }
  return first;
}

function readEvents(
  typed: NativeColumns,
  { eventTypes }: FactFilter,
  txs: NativeColumns | undefined,
  events: Map<number, StoredEvent[]>,
): void {
  const firstRowOf = txs === undefined ? new Map<number, number>() : firstRows(txs);
  const heights = typed.column('height');
  const txIndexes = typed.column('tx_index');
  const eventIndexes = typed.column('event_index');
  const codes = typed.column('code');
  const types = typed.column('type');
  const modes = typed.column('mode');
  const decoded = typed.column('decoded');
  for (let row = 0; row < typed.rows; row++) {
    const type = types.text(row);
    if (codes.u32(row) !== 0 || !eventTypes.has(type)) continue;
    const height = heights.u64(row);
    const txIndex = txIndexes.i32(row);
    const firstRow = txIndex < 0 ? undefined : firstRowOf.get(height);
    const txHash = firstRow === undefined ? undefined : txs?.column('hash').fixed(firstRow + txIndex);
    const event = {
      type,
      txIndex,
      eventIndex: eventIndexes.u32(row),
      txHash,
      mode: modes.text(row),
      decoded: decoded.text(row),
    };
    const ofHeight = events.get(height);
    if (ofHeight === undefined) events.set(height, [event]);
    else ofHeight.push(event);
  }
}

function readFailedTxs(txs: NativeColumns, { codespaces }: FactFilter): Map<number, FailedTxFact[]> {
  const found = new Map<number, FailedTxFact[]>();
  const codes = txs.column('code');
  for (let row = 0; row < txs.rows; row++) {
    const code = codes.u32(row);
    if (code === 0) continue;
    const codespace = txs.column('codespace').text(row);
    if (!codespaces.has(codespace)) continue;
    const height = txs.column('height').u64(row);
    const fact = {
      txIndex: txs.column('tx_index').u32(row),
      txHash: txs.column('hash').fixed(row),
      code,
      codespace,
      rawLog: txs.column('raw_log').text(row),
      msgs: txs.column('msgs').text(row),
    };
    const ofHeight = found.get(height);
    if (ofHeight === undefined) found.set(height, [fact]);
    else ofHeight.push(fact);
  }
  return found;
}

/** The columns of a Native block that this process made itself (src/core/native.ts). */
class NativeColumns {
  readonly rows: number;
  readonly #bytes: Buffer;
  readonly #columns = new Map<string, NativeColumn>();
  /** Where the next column that was not looked at begins. */
  #at = 0;
  #left: number;

  constructor({ native }: TableBlock) {
    this.#bytes = Buffer.from(native.buffer, native.byteOffset, native.byteLength);
    this.#left = this.#varint();
    this.rows = this.#varint();
  }

  column(name: string): NativeColumn {
    for (;;) {
      const column = this.#columns.get(name);
      if (column !== undefined) return column;
      if (this.#left === 0) throw new StrataError('internal', `a decoded table has no column ${name}`);
      this.#readColumn();
    }
  }

  #readColumn(): void {
    this.#left--;
    const name = this.#text();
    const type = this.#text() as ColumnType;
    const width = WIDTHS[type];
    if (width !== undefined) {
      this.#columns.set(name, new NativeColumn(this.#bytes, this.#at, width));
      this.#at += width * this.rows;
    } else if (type === 'String') {
      const ends = new Uint32Array(this.rows + 1);
      const starts = new Uint32Array(this.rows);
      for (let row = 0; row < this.rows; row++) {
        const length = this.#varint();
        starts[row] = this.#at;
        this.#at += length;
        ends[row] = this.#at;
      }
      this.#columns.set(name, new NativeColumn(this.#bytes, 0, 0, starts, ends));
    } else {
      // arrays stand behind every column that facts are read from
      throw new StrataError('internal', `column ${name} of type ${type} is not read here`);
    }
  }

  #text(): string {
    const length = this.#varint();
    const start = this.#at;
    this.#at += length;
    return this.#bytes.toString('latin1', start, this.#at);
  }

  #varint(): number {
    let value = 0;
    let unit = 1;
    for (;;) {
      const byte = this.#bytes[this.#at++] as number;
      value += (byte & 0x7f) * unit;
      if (byte < 0x80) return value;
      unit *= 0x80;
    }
  }
}

const WIDTHS: Partial<Record<ColumnType, number>> = {
  UInt8: 1,
  UInt16: 2,
  UInt32: 4,
  UInt64: 8,
  Int32: 4,
  Int64: 8,
  UInt256: 32,
  'FixedString(4)': 4,
  'FixedString(20)': 20,
  'FixedString(32)': 32,
};

class NativeColumn {
  readonly #bytes: Buffer;
  readonly #at: number;
  readonly #width: number;
  readonly #starts: Uint32Array | undefined;
  readonly #ends: Uint32Array | undefined;

  constructor(bytes: Buffer, at: number, width: number, starts?: Uint32Array, ends?: Uint32Array) {
    this.#bytes = bytes;
    this.#at = at;
    this.#width = width;
    this.#starts = starts;
    this.#ends = ends;
  }

  u8(row: number): number {
    return this.#bytes[this.#at + row] as number;
  }

  u32(row: number): number {
    return this.#bytes.readUInt32LE(this.#at + row * 4);
  }

  i32(row: number): number {
    return this.#bytes.readInt32LE(this.#at + row * 4);
  }

  /** A safe integer. */
  u64(row: number): number {
    const at = this.#at + row * 8;
    return this.#bytes.readUInt32LE(at + 4) * 0x1_0000_0000 + this.#bytes.readUInt32LE(at);
  }

  /** A copy: the block's own buffer goes on its way. */
  fixed(row: number): Uint8Array {
    const at = this.#at + row * this.#width;
    return Uint8Array.from(this.#bytes.subarray(at, at + this.#width));
  }

  /** Of a FixedString, in lower case. */
  hex(row: number): string {
    const at = this.#at + row * this.#width;
    return this.#bytes.toString('hex', at, at + this.#width);
  }

  /** Whether a FixedString is these bytes. */
  equals(row: number, bytes: Uint8Array): boolean {
    const at = this.#at + row * this.#width;
    return this.#bytes.compare(bytes, 0, this.#width, at, at + this.#width) === 0;
  }

  /** A copy of a String's. */
  bytes(row: number): Uint8Array {
    return Uint8Array.from(this.#bytes.subarray(this.#starts?.[row], this.#ends?.[row]));
  }

  text(row: number): string {
    return this.#bytes.toString('utf8', this.#starts?.[row], this.#ends?.[row]);
  }
}
