/** Ethereum's RLP, as much as signed txs need: strict, so that one tx has one encoding. */

export type RlpItem = Uint8Array | RlpList;

export interface RlpList {
  readonly items: readonly RlpItem[];
  /** Where each item begins in the bytes that were read, and where the last one ends. */
  readonly bounds: readonly number[];
}

/** Lists within lists of an access list are three deep; more is no tx. */
const MAX_DEPTH = 4;

/** The one list that the bytes from `start` on are. Throws a RangeError for anything else. */
export function readRlpList(bytes: Uint8Array, start = 0): RlpList {
  const { item, end } = readItem(bytes, start, 0);
  if (item instanceof Uint8Array) throw new RangeError('no list');
  if (end !== bytes.length) throw new RangeError('bytes behind the list');
  return item;
}

function readItem(
  bytes: Uint8Array,
  at: number,
  depth: number,
): { readonly item: RlpItem; readonly end: number } {
  const first = bytes[at];
  if (first === undefined) throw new RangeError('cut off');
  if (first < 0x80) return { item: bytes.subarray(at, at + 1), end: at + 1 };
  const isList = first >= 0xc0;
  const { from, end } = payloadOf(bytes, at, first - (isList ? 0xc0 : 0x80));
  if (!isList) {
    if (end - from === 1 && (bytes[from] as number) < 0x80) throw new RangeError('not the shortest form');
    return { item: bytes.subarray(from, end), end };
  }
  if (depth >= MAX_DEPTH) throw new RangeError('too many lists within lists');
  const items: RlpItem[] = [];
  const bounds = [from];
  for (let next = from; next < end; ) {
    const read = readItem(bytes, next, depth + 1);
    items.push(read.item);
    bounds.push(read.end);
    next = read.end;
  }
  if (bounds.at(-1) !== end) throw new RangeError('an item reaches out of its list');
  return { item: { items, bounds }, end };
}

function payloadOf(
  bytes: Uint8Array,
  at: number,
  code: number,
): { readonly from: number; readonly end: number } {
  if (code <= 55) return within(bytes, at + 1, code);
  const lengthBytes = code - 55;
  if (lengthBytes > 4) throw new RangeError('too long');
  let length = 0;
  for (let i = 1; i <= lengthBytes; i++) length = length * 256 + (bytes[at + i] ?? 0);
  if (length <= 55 || bytes[at + 1] === 0) throw new RangeError('not the shortest form');
  return within(bytes, at + 1 + lengthBytes, length);
}

function within(bytes: Uint8Array, from: number, length: number) {
  if (from + length > bytes.length) throw new RangeError('cut off');
  return { from, end: from + length };
}

/** The header of a list whose items are these many bytes together. */
export function listHeader(length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(0xc0 + length);
  const digits = Buffer.from(
    length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'),
    'hex',
  );
  return Buffer.concat([Uint8Array.of(0xf7 + digits.length), digits]);
}

/** An integer as an item. */
export function integerItem(value: bigint): Uint8Array {
  if (value === 0n) return Uint8Array.of(0x80);
  const hex = value.toString(16);
  const digits = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  if (digits.length === 1 && (digits[0] as number) < 0x80) return digits;
  return Buffer.concat([Uint8Array.of(0x80 + digits.length), digits]);
}
