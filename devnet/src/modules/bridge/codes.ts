import { COMMON_CODES, refuser } from '../refusals.ts';

/** Codes of codespace `bridge`: stable. Every refusal of a TransferOut is one of them (modules.md, rule 8). */
export const BRIDGE_CODES = {
  ...COMMON_CODES,
  /** The route is paused. */
  paused: 4,
  /** More than the window's cap. */
  capExceeded: 5,
  /** The kind's flag. */
  notBridgeable: 14,
  /** A route of this id, or of this synthetic denom, is there. */
  taken: 15,
  /** More comes in than has gone out. */
  notOutside: 16,
  /** This message has been delivered. */
  delivered: 17,
} as const;

export const refuse = refuser('bridge', BRIDGE_CODES);
