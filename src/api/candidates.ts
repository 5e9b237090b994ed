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

/** Finds a module's own records. */
export interface CandidateFinder {
  /** The shapes that it wants to see. */
  readonly kind: LookupShape['kind'];
  /**
   * Its candidates stand before a tx or a block of the same shape; otherwise after it (rule 7 of api.md: an asset, a tx; a
   * block, a settlement, an encumbrance). Several finders stand in the order of the modules. An evm_address that a finder
   * finds is no account.
   */
  readonly isFirst?: boolean;
  find(shape: LookupShape, context: RouteContext): Promise<readonly Candidate[]>;
}
