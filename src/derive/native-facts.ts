import type { TableBlock } from '../core/table.ts';
import {
  type BlockFacts,
  byLog,
  type EvmTxFact,
  type FactFilter,
  type FailedTxFact,
  inOrderOfDerivation,
  type LogFact,
  type LogWish,
  type StoredEvent,
  type TransferFact,
} from './facts.ts';
import { NativeColumns } from './native-columns.ts';
import { plainTypes, readPlainEvents } from './plain-events.ts';

/**
 * Facts of blocks that were decoded just now, read from the Native blocks of their tables, so that they are the same
 * facts that the store gives back later (src/pipeline/stored-facts.ts). A range that was asked for in parts has several
 * blocks of a table.
 */
export function readNativeFacts(
  headers: readonly { readonly height: number; readonly timeNs: bigint; readonly txCount: number }[],
  tables: readonly TableBlock[],
  filter: FactFilter,
): readonly BlockFacts[] {
  const blocksOf = (name: string): readonly NativeColumns[] =>
    tables.filter(({ table }) => table === name).map((block) => new NativeColumns(block));
  const txs = blocksOf('txs');
  const events = new Map<number, StoredEvent[]>();
  const failed = new Map<number, FailedTxFact[]>();
  const logs = new Map<number, LogFact[]>();
  const transfers = new Map<number, TransferFact[]>();
  const evmTxs = new Map<number, EvmTxsOfHeight>();
  const accounts = new Map<number, Set<string>>();
  const places = readPlaces(txs);
  for (const block of blocksOf('typed_events')) readEvents(block, filter, places.hashOf, events);
  readPlainEvents(tables, plainTypes(filter), (height, event) => append(events, height, event));
  for (const block of txs) readFailedTxs(block, filter, failed);
  if (filter.logs.length > 0) for (const block of blocksOf('evm_logs')) readLogs(block, filter, places, logs);
  if (filter.transferSenders.size > 0) {
    for (const block of blocksOf('transfers')) readTransfers(block, filter, places, transfers);
  }
  if (filter.evmTxs) for (const block of blocksOf('evm_txs')) readEvmTxs(block, places, evmTxs);
  if (filter.accounts) for (const block of blocksOf('account_txs')) readAccounts(block, accounts);
  return headers.map(({ height, timeNs, txCount }) => ({
    height,
    timeNs,
    txCount,
    evmTxCount: evmTxs.get(height)?.count ?? 0,
    events: inOrderOfDerivation(events.get(height) ?? []),
    failedTxs: failed.get(height) ?? [],
    logs: logs.get(height)?.sort(byLog) ?? [],
    transfers: transfers.get(height)?.sort(byEvent) ?? [],
    evmTxs: evmTxs.get(height)?.succeeded.sort(byMessage) ?? [],
    accounts: [...(accounts.get(height) ?? [])],
  }));
}

function byEvent(a: TransferFact, b: TransferFact): number {
  return a.txIndex - b.txIndex || a.eventIndex - b.eventIndex;
}

function byMessage(a: EvmTxFact, b: EvmTxFact): number {
  return a.txIndex - b.txIndex || a.msgIndex - b.msgIndex;
}

/** What txs tell of the rows of other tables. */
interface TxPlaces {
  hashOf(height: number, txIndex: number): Uint8Array | undefined;
  hasFailed(height: number, txIndex: number): boolean;
}

/** Rows of txs are those of each height in a row, from tx index 0 on. */
function readPlaces(txs: readonly NativeColumns[]): TxPlaces {
  const firsts = new Map<number, { readonly block: NativeColumns; readonly row: number }>();
  for (const block of txs) {
    const heights = block.column('height');
    let before = -1;
    for (let row = 0; row < block.rows; row++) {
      const height = heights.u64(row);
      if (height !== before) firsts.set(height, { block, row });
      before = height;
    }
  }
  return {
    hashOf(height, txIndex) {
      const first = firsts.get(height);
      return first?.block.column('hash').fixed(first.row + txIndex);
    },
    hasFailed(height, txIndex) {
      const first = firsts.get(height);
      return first !== undefined && first.block.column('code').u32(first.row + txIndex) !== 0;
    },
  };
}

interface EvmTxsOfHeight {
  /** Whose first message is an Ethereum one. */
  count: number;
  readonly succeeded: EvmTxFact[];
}

function readEvmTxs(table: NativeColumns, places: TxPlaces, found: Map<number, EvmTxsOfHeight>): void {
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
    if (statuses.u8(row) !== 1 || places.hasFailed(height, txIndex)) continue;
    ofHeight.succeeded.push({ txIndex, msgIndex, sender: senders.hex(row) });
  }
}

/** A first topic, and whose logs with it are wanted; anybody's where a contract may have made whoever logs. */
interface WantedTopic {
  readonly topic: Buffer;
  readonly addresses: ReadonlySet<string> | undefined;
}

function wantedTopics(wishes: readonly LogWish[]): readonly WantedTopic[] {
  const wanted = new Map<string, Set<string> | undefined>();
  for (const { address, topics, children } of wishes) {
    for (const topic of children === undefined ? topics : [...topics, children.told]) {
      const others = wanted.has(topic) ? wanted.get(topic) : new Set<string>();
      wanted.set(topic, others?.add(address));
    }
    for (const topic of children?.topics ?? []) wanted.set(topic, undefined);
  }
  return [...wanted].map(([topic, addresses]) => ({ topic: Buffer.from(topic, 'hex'), addresses }));
}

function readLogs(
  table: NativeColumns,
  filter: FactFilter,
  places: TxPlaces,
  found: Map<number, LogFact[]>,
): void {
  const wanted = wantedTopics(filter.logs);
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
    const match = wanted.find(({ topic }) => first?.equals(row, topic));
    if (match === undefined) continue;
    const address = addresses.hex(row);
    if (match.addresses?.has(address) === false) continue;
    const height = heights.u64(row);
    const txIndex = txIndexes.u32(row);
    if (places.hasFailed(height, txIndex)) continue;
    append(found, height, {
      txIndex,
      msgIndex: msgIndexes.u32(row),
      logIndex: logIndexes.u32(row),
      address,
      topics: topicColumns.slice(0, counts.u8(row)).map((column) => column.hex(row)),
      data: datas.bytes(row),
    });
  }
}

function readTransfers(
  table: NativeColumns,
  { transferSenders }: FactFilter,
  places: TxPlaces,
  found: Map<number, TransferFact[]>,
): void {
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
    if (places.hasFailed(height, txIndex)) continue;
    append(found, height, {
      txIndex,
      eventIndex: eventIndexes.u32(row),
      sender,
      recipient: recipients.text(row),
      amount: amounts.text(row),
    });
  }
}

function readAccounts(table: NativeColumns, found: Map<number, Set<string>>): void {
  const heights = table.column('height');
  const accounts = table.column('account');
  for (let row = 0; row < table.rows; row++) {
    const height = heights.u64(row);
    const account = accounts.text(row);
    const ofHeight = found.get(height);
    if (ofHeight === undefined) found.set(height, new Set([account]));
    else ofHeight.add(account);
  }
}

function append<T>(found: Map<number, T[]>, height: number, fact: T): void {
  const others = found.get(height);
  if (others === undefined) found.set(height, [fact]);
  else others.push(fact);
}

function readEvents(
  typed: NativeColumns,
  { eventTypes }: FactFilter,
  hashOf: TxPlaces['hashOf'],
  events: Map<number, StoredEvent[]>,
): void {
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
    append(events, height, {
      type,
      txIndex,
      eventIndex: eventIndexes.u32(row),
      txHash: txIndex < 0 ? undefined : hashOf(height, txIndex),
      mode: modes.text(row),
      decoded: decoded.text(row),
    });
  }
}

function readFailedTxs(
  txs: NativeColumns,
  { codespaces }: FactFilter,
  found: Map<number, FailedTxFact[]>,
): void {
  const codes = txs.column('code');
  for (let row = 0; row < txs.rows; row++) {
    const code = codes.u32(row);
    if (code === 0) continue;
    const codespace = txs.column('codespace').text(row);
    if (!codespaces.has(codespace)) continue;
    const height = txs.column('height').u64(row);
    append(found, height, {
      txIndex: txs.column('tx_index').u32(row),
      txHash: txs.column('hash').fixed(row),
      code,
      codespace,
      rawLog: txs.column('raw_log').text(row),
      msgs: txs.column('msgs').text(row),
    });
  }
}
