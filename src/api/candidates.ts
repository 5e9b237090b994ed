import type { RouteContext } from './route.ts';

/** One thing that /v1/lookup/{q} found, in the key order of its answer (answers.md, "Lookup candidates"). */
export interface Candidate {
  readonly type: string;
  readonly id: string;
  readonly [field: string]: string | number | boolean | null;
}

/** What `q` may be, by its shape. */
export type LookupShape =
  /** 64 hex digits, in lower case. */
  | { readonly kind: 'hash'; readonly hex: string }
  | { readonly kind: 'integer'; readonly value: bigint }
  /** 0x + 40 hex digits, as 20 bytes. */
  | { readonly kind: 'evm_address'; readonly bytes: Uint8Array };

/** Where txs, blocks and accounts stand. */
export const BASE_RANK = 100;

/** Finds a module's own records. */
export interface CandidateFinder {
  /** The shapes that it wants to see. */
  readonly kind: LookupShape['kind'];
  /**
   * Where its candidates stand among those of the same shape, as api.md lists them (rule 7): below BASE_RANK an asset
   * before a tx, above it a settlement behind a block and before an encumbrance. An evm_address that a finder finds is no
   * account.
   */
  readonly rank: number;
  find(shape: LookupShape, context: RouteContext): Promise<readonly Candidate[]>;
}
