import { ChainError } from 'strata-kit/chain-error';

/** Refusals of a module: its codespace, and a stable code by name. Each module's table is its `codes.ts`. */

/** A table of codes makes these, by the names in it. */
export type Refuse<Name extends string> = (name: Name, message: string) => ChainError;

/** What several modules refuse alike; each has them under the same numbers, among its own. */
export const COMMON_CODES = {
  /** A field of the message is malformed or out of its bounds. */
  invalid: 2,
  notFound: 3,
  unauthorized: 6,
  /** No such asset, or no such kind of it. */
  unknownAsset: 7,
  /** The asset is LIQUIDATING or LIQUIDATED. */
  assetNotActive: 8,
  /** More than the holder's transferable units. */
  insufficientUnits: 9,
  insufficientCoins: 10,
  /** The kind's flag. */
  notTransferable: 11,
  policyDenied: 12,
  /** An escrow account of the bridge receives from TransferOut alone, and its units are its route's. */
  escrow: 13,
} as const;

export type CommonCode = keyof typeof COMMON_CODES;

export function refuser<Name extends string>(
  codespace: string,
  codes: Readonly<Record<Name, number>>,
): Refuse<Name> {
  return (name, message) => new ChainError(codespace, codes[name], message);
}
