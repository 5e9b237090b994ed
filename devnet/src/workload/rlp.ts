import { concatBytes, hexToBytes } from 'strata-kit/bytes';

/** What RLP writes: bytes, integers (big-endian without leading zeros) and lists. */
export type RlpItem = Uint8Array | bigint | readonly RlpItem[];

/** Ethereum's recursive length prefix. */
export function encodeRlp(item: RlpItem): Uint8Array {
  if (typeof item === 'bigint') return encodeBytes(integerBytes(item));
  if (item instanceof Uint8Array) return encodeBytes(item);
  const content = concatBytes(item.map(encodeRlp));
  return concatBytes([prefix(0xc0, content.length), content]);
}

function encodeBytes(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 1 && (bytes[0] as number) < 0x80) return bytes;
  return concatBytes([prefix(0x80, bytes.length), bytes]);
}

function prefix(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const bytes = integerBytes(BigInt(length));
  return concatBytes([Uint8Array.of(base + 55 + bytes.length), bytes]);
}

function integerBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  const hex = value.toString(16);
  return hexToBytes(hex.length % 2 === 0 ? hex : `0${hex}`) ?? new Uint8Array();
}
