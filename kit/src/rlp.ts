import { RLP } from '@ethereumjs/rlp';

/**
 * Ethereum's Recursive Length Prefix: strict, so that one tx has one encoding. The library writes.
 * The reader is written here: the library's copies every item and follows nested lists without a bound. With it
 * `npm run bench -- --only decode` took 3 to 6 % more CPU.
 */

/** Bytes that were read: a view, not a copy. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** What can be written: an integer becomes its bytes without leading zeros. */
export type RlpInput = Uint8Array | bigint | readonly RlpInput[];

/** An access list in a tx is four deep; deeper lists are no tx. Without the bound 24 kB of lists overflow the stack. */
const MAX_DEPTH = 4;

export function encodeRlp(item: RlpInput): Uint8Array {
  // the library takes readonly lists too, but does not say so
  return RLP.encode(item as Parameters<typeof RLP.encode>[0]);
}

/** The one list that the bytes from `start` on are. Throws a RangeError for anything else. */
export function decodeRlpList(bytes: Uint8Array, start = 0): readonly RlpItem[] {
  const first = bytes[start];
  if (first === undefined) throw new RangeError('cut off');
  if (first < 0xc0) throw new RangeError('no list');
  const { from, end } = payloadOf(bytes, start, first - 0xc0);
  if (end !== bytes.length) throw new RangeError('bytes behind the list');
  return readItems(bytes, from, end, 1);
}

function readItems(bytes: Uint8Array, from: number, end: number, depth: number): RlpItem[] {
  if (depth > MAX_DEPTH) throw new RangeError('too many lists within lists');
  const items: RlpItem[] = [];
  let at = from;
  while (at < end) {
    const first = bytes[at] as number;
    if (first < 0x80) {
      items.push(bytes.subarray(at, at + 1));
      at += 1;
      continue;
    }
    const isList = first >= 0xc0;
    const payload = payloadOf(bytes, at, first - (isList ? 0xc0 : 0x80));
    if (payload.end > end) throw new RangeError('an item reaches out of its list');
    if (isList) {
      items.push(readItems(bytes, payload.from, payload.end, depth + 1));
    } else {
      if (payload.end - payload.from === 1 && (bytes[payload.from] as number) < 0x80)
        throw new RangeError('not the shortest form');
      items.push(bytes.subarray(payload.from, payload.end));
    }
    at = payload.end;
  }
  return items;
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
