import { isObject, type JsonMap } from 'strata-kit/json';
import type { TableBlock } from '../core/table.ts';
import type { FactFilter, StoredEvent } from './facts.ts';
import { NativeColumns } from './native-columns.ts';

/**
 * Events without a proto, such as `submit_proposal`. Their type has no dot. A module reads an object of their attributes,
 * all texts; the last attribute of a key counts. An event that names no `sender` gets that of the next `message` event,
 * which is how the Cosmos SDK before 0.50 names who signed.
 */

export function plainTypes({ eventTypes }: Pick<FactFilter, 'eventTypes'>): ReadonlySet<string> {
  return new Set([...eventTypes].filter((type) => !type.includes('.')));
}

/** The place of a list of events. */
export interface ListPlace {
  /** −1 for the block's own. */
  readonly txIndex: number;
  readonly txHash: Uint8Array | undefined;
}

/** The events of these types in a list, which is the API's JSON text. */
export function plainEventsIn(
  text: string,
  types: ReadonlySet<string>,
  { txIndex, txHash }: ListPlace,
): readonly StoredEvent[] {
  const list: unknown = JSON.parse(text);
  const found: StoredEvent[] = [];
  let sender: string | undefined;
  // backwards: the next `message` event is the last one seen
  for (const event of Array.isArray(list) ? list.filter(isObject).reverse() : []) {
    const { type, event_index: eventIndex, mode } = event;
    const isWanted = typeof type === 'string' && types.has(type) && typeof eventIndex === 'number';
    if (!isWanted && type !== 'message') continue;
    const attributes = attributesOf(event);
    if (type === 'message' && typeof attributes.sender === 'string') sender = attributes.sender;
    if (!isWanted) continue;
    const decoded = JSON.stringify(sender === undefined ? attributes : { sender, ...attributes });
    found.push({ type, txIndex, eventIndex, txHash, mode: typeof mode === 'string' ? mode : '', decoded });
  }
  return found.reverse();
}

function attributesOf({ attributes }: JsonMap): JsonMap {
  const pairs = Array.isArray(attributes) ? attributes.filter(isObject) : [];
  return Object.fromEntries(pairs.map(({ key, value }) => [key, value]));
}

/** Of blocks that were decoded just now. A range without such events costs one search a type. */
export function readPlainEvents(
  tables: readonly TableBlock[],
  types: ReadonlySet<string>,
  found: (height: number, event: StoredEvent) => void,
): void {
  if (types.size === 0) return;
  const wanted = new Set<string>();
  for (const block of tables) if (block.table === 'events') findLists(block, types, wanted);
  if (wanted.size === 0) return;
  for (const block of tables) {
    const isTxs = block.table === 'txs';
    if (!isTxs && block.table !== 'blocks') continue;
    const columns = new NativeColumns(block);
    for (let row = 0; row < columns.rows; row++) {
      const height = columns.column('height').u64(row);
      const txIndex = isTxs ? columns.column('tx_index').u32(row) : -1;
      if (!wanted.has(`${height} ${txIndex}`)) continue;
      if (isTxs && columns.column('code').u32(row) !== 0) continue;
      const txHash = isTxs ? columns.column('hash').fixed(row) : undefined;
      const events = plainEventsIn(columns.column('events').text(row), types, { txIndex, txHash });
      for (const event of events) found(height, event);
    }
  }
}

/** The lists that have an event of these types. */
function findLists(block: TableBlock, types: ReadonlySet<string>, wanted: Set<string>): void {
  const { native } = block;
  const bytes = Buffer.from(native.buffer, native.byteOffset, native.byteLength);
  if (![...types].some((type) => bytes.includes(type, 0, 'latin1'))) return;
  const columns = new NativeColumns(block);
  const heights = columns.column('height');
  const txIndexes = columns.column('tx_index');
  const names = columns.column('type');
  for (let row = 0; row < columns.rows; row++) {
    if (types.has(names.text(row))) wanted.add(`${heights.u64(row)} ${txIndexes.i32(row)}`);
  }
}
