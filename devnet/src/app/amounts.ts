/** Amounts and units are integers in [0, 2^255), decimal texts on the wire (modules.md, section 1). */

export const AMOUNT_LIMIT = 1n << 255n;

/** Undefined unless `text` is a decimal integer below 2^255, without sign or leading zeros. */
export function parseAmount(text: unknown): bigint | undefined {
  if (typeof text !== 'string' || !/^(0|[1-9][0-9]{0,76})$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount < AMOUNT_LIMIT ? amount : undefined;
}
