/** What a MsgEthereumTx calls, out of its signed bytes: RLP, as EIP-155, EIP-2930, EIP-1559 and EIP-7702 lay it out. */

/** Where the input stands among a tx's fields, by its type; 0xc0 and above is a legacy one. */
const INPUT_AT: Readonly<Record<number, number>> = { 1: 6, 2: 7, 4: 7 };
const LEGACY_INPUT_AT = 5;

/** The input as hex without 0x, empty for none. Undefined where `raw`, 0x hex or base64, is no such tx. */
export function ethereumInput(raw: string): string | undefined {
  const bytes = bytesOf(raw);
  if (bytes === undefined) return undefined;
  const isTyped = (bytes[0] ?? 0) < 0xc0;
  const at = isTyped ? INPUT_AT[bytes[0] ?? 0] : LEGACY_INPUT_AT;
  const list = itemAt(bytes, isTyped ? 1 : 0);
  if (at === undefined || list === undefined || !list.isList) return undefined;
  let from = list.from;
  for (let i = 0; from < list.to; i++) {
    const item = itemAt(bytes, from);
    if (item === undefined || item.to > list.to) return undefined;
    if (i === at) return item.isList ? undefined : hexOf(bytes.subarray(item.from, item.to));
    from = item.to;
  }
  return undefined;
}

interface Item {
  readonly from: number;
  readonly to: number;
  readonly isList: boolean;
}

function itemAt(bytes: Uint8Array, at: number): Item | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { from: at, to: at + 1, isList: false };
  const isList = first >= 0xc0;
  const size = first - (isList ? 0xc0 : 0x80);
  // up to 55 bytes the length stands in the first byte, beyond that it has bytes of its own
  const sizeBytes = Math.max(0, size - 55);
  const from = at + 1 + sizeBytes;
  const length = sizeBytes === 0 ? size : Number.parseInt(hexOf(bytes.subarray(at + 1, from)), 16);
  const to = from + length;
  return to <= bytes.length ? { from, to, isList } : undefined;
}

function bytesOf(raw: string): Uint8Array | undefined {
  if (/^0x([0-9a-f]{2})+$/i.test(raw))
    return Uint8Array.from({ length: raw.length / 2 - 1 }, (_, i) =>
      Number.parseInt(raw.slice(2 + i * 2, 4 + i * 2), 16),
    );
  try {
    return Uint8Array.from(atob(raw), (char) => char.charCodeAt(0));
  } catch {
    // neither hex nor base64: there is no tx in it
    return undefined;
  }
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
