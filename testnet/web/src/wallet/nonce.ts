import { hex } from '@scure/base';

/**
 * The nonce of a MsgEthereumTx in the API's JSON: in `raw`, the signed Ethereum tx as hex, or in `data`, the older form.
 * Undefined where neither can be read.
 */
export function nonceOf(message: Readonly<Record<string, unknown>> | undefined): bigint | undefined {
  const { raw, data } = message ?? {};
  if (typeof raw === 'string' && /^0x([0-9a-fA-F]{2})+$/.test(raw)) {
    return nonceOfRaw(hex.decode(raw.slice(2).toLowerCase()));
  }
  const { nonce } = (typeof data === 'object' && data !== null ? data : {}) as { readonly nonce?: unknown };
  return /^\d{1,20}$/.test(String(nonce)) ? BigInt(String(nonce)) : undefined;
}

/** The list is RLP. Typed txs (EIP-2718) have one byte before it, and the chain id before the nonce. */
function nonceOfRaw(bytes: Uint8Array): bigint | undefined {
  const isTyped = (bytes[0] ?? 0) < 0x80;
  const listAt = isTyped ? 1 : 0;
  const head = bytes[listAt] ?? 0;
  if (head < 0xc0) return undefined;
  const first = listAt + 1 + (head > 0xf7 ? head - 0xf7 : 0);
  return integerAt(bytes, isTyped ? first + 1 + shortLength(bytes[first]) : first);
}

function integerAt(bytes: Uint8Array, at: number): bigint | undefined {
  const head = bytes[at];
  if (head === undefined || head > 0x88) return undefined;
  if (head < 0x80) return BigInt(head);
  const digits = hex.encode(bytes.subarray(at + 1, at + 1 + shortLength(head)));
  return BigInt(`0x${digits === '' ? '0' : digits}`);
}

/** Bytes after the head of an item of at most 55 bytes: one below 0x80 is its own value. */
function shortLength(head = 0): number {
  return head < 0x80 ? 0 : head - 0x80;
}
