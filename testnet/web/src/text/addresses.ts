import { bech32 } from '@scure/base';

/** Bech32 of an account's 20 bytes in hex: what the API names it by. Undefined for what is no such hex. */
export function bech32Of(hex: string, hrp: string): string | undefined {
  if (!/^0x[0-9a-f]{40}$/i.test(hex)) return undefined;
  const bytes = Uint8Array.from({ length: 20 }, (_, i) =>
    Number.parseInt(hex.slice(2 + i * 2, 4 + i * 2), 16),
  );
  return bech32.encode(hrp, bech32.toWords(bytes));
}
