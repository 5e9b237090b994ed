/** Recursive Length Prefix, as far as signed Ethereum transactions need it. */

/** The top-level items of an RLP list: byte strings as they are, nested lists as their raw payload. */
export function decodeRlpList(bytes: Uint8Array, at = 0): readonly Uint8Array[] | undefined {
  const outer = readItem(bytes, at);
  if (outer === undefined || !outer.isList) return undefined;
  const items: Uint8Array[] = [];
  let position = outer.from;
  while (position < outer.to) {
    const item = readItem(bytes, position);
    if (item === undefined || item.to > outer.to) return undefined;
    items.push(bytes.subarray(item.from, item.to));
    position = item.to;
  }
  return items;
}

interface Item {
  readonly isList: boolean;
  readonly from: number;
  readonly to: number;
}

function readItem(bytes: Uint8Array, at: number): Item | undefined {
  const prefix = bytes[at];
  if (prefix === undefined) return undefined;
  if (prefix < 0x80) return { isList: false, from: at, to: at + 1 };
  const isList = prefix >= 0xc0;
  const short = prefix - (isList ? 0xc0 : 0x80);
  if (short <= 55) return bounded(bytes, isList, at + 1, short);
  const lengthBytes = short - 55;
  let length = 0;
  for (let i = 1; i <= lengthBytes; i++) length = length * 256 + (bytes[at + i] ?? 0);
  return bounded(bytes, isList, at + 1 + lengthBytes, length);
}

function bounded(bytes: Uint8Array, isList: boolean, from: number, length: number): Item | undefined {
  const to = from + length;
  return to <= bytes.length ? { isList, from, to } : undefined;
}

/** RLP of [address, nonce], the preimage of a created contract's address (CREATE). */
export function encodeAddressNonce(address: Uint8Array, nonce: bigint): Uint8Array {
  const nonceBytes = nonce === 0n ? [] : [...Buffer.from(evenHex(nonce), 'hex')];
  const single = nonceBytes.length === 1 && (nonceBytes[0] as number) < 0x80;
  const nonceItem = single ? nonceBytes : [0x80 + nonceBytes.length, ...nonceBytes];
  const body = [0x80 + address.length, ...address, ...nonceItem];
  return Uint8Array.from([0xc0 + body.length, ...body]);
}

function evenHex(value: bigint): string {
  const hex = value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
