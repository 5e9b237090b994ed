/** The values of a cursor's key, which travel as texts. Each reader gives undefined for what no cursor of ours holds. */

export type KeyField<T> = (text: string) => T | undefined;

export type KeyValues<F extends readonly KeyField<unknown>[]> = {
  readonly [I in keyof F]: F[I] extends KeyField<infer T> ? T : never;
};

const INT256_END = 2n ** 255n;
const UINT64_END = 2n ** 64n;
const INT256_DIGITS = 78;
const CANONICAL_INTEGER = /^(0|-?[1-9]\d*)$/;

/** From 0 to 2^53 − 1. */
export const heightField: KeyField<number> = (text) => integerWithin(text, 0, Number.MAX_SAFE_INTEGER);

export const uint32Field: KeyField<number> = (text) => integerWithin(text, 0, 2 ** 32 - 1);

export const int32Field: KeyField<number> = (text) => integerWithin(text, -(2 ** 31), 2 ** 31 - 1);

export const uint64Field: KeyField<bigint> = (text) => bigintWithin(text, 0n, UINT64_END - 1n);

/** Without −2^255, so that its negative is one too. */
export const int256Field: KeyField<bigint> = (text) => bigintWithin(text, 1n - INT256_END, INT256_END - 1n);

/** 64 lower-case hex digits. */
export const assetIdField: KeyField<string> = (text) => (/^[0-9a-f]{64}$/.test(text) ? text : undefined);

/** A name that the chain gave, which may be any text. */
export const textField: KeyField<string> = (text) => text;

function integerWithin(text: string, least: number, greatest: number): number | undefined {
  const value = bigintWithin(text, BigInt(least), BigInt(greatest));
  return value === undefined ? undefined : Number(value);
}

function bigintWithin(text: string, least: bigint, greatest: bigint): bigint | undefined {
  if (text.length > INT256_DIGITS || !CANONICAL_INTEGER.test(text)) return undefined;
  const value = BigInt(text);
  return value >= least && value <= greatest ? value : undefined;
}
