/** What modules derive from: the part of a block that the stateless tables keep, in the order of derivation. */

export interface BlockFacts {
  readonly height: number;
  readonly timeNs: bigint;
  /**
   * Typed events that happened (block-level, or of a tx with code 0), in the order of modules.md rule 0: block-level ones
   * without mode, BeginBlock, txs, EndBlock.
   */
  readonly events: readonly EventFact[];
  /** Txs that failed with a codespace that a module asked for, by tx index. */
  readonly failedTxs: readonly FailedTxFact[];
}

export interface EventFact {
  /** Full proto name, as `aeva.rights.v1.EventIssued`. */
  readonly type: string;
  /** −1 for a block-level event. */
  readonly txIndex: number;
  /** Within its tx, or within the block-level list. */
  readonly eventIndex: number;
  /** 32 bytes; undefined for a block-level event. */
  readonly txHash: Uint8Array | undefined;
  /** Proto-JSON of the event. */
  readonly decoded: string;
}

export interface FailedTxFact {
  readonly txIndex: number;
  readonly txHash: Uint8Array;
  readonly code: number;
  readonly codespace: string;
  readonly rawLog: string;
  /** The tx's messages as the API prints them. */
  readonly msgs: string;
}

/** Which of a chain's facts its modules want: everything else is passed over unread. */
export interface FactFilter {
  /** Full proto names. */
  readonly eventTypes: ReadonlySet<string>;
  readonly codespaces: ReadonlySet<string>;
}

/** An event as it stands in a table, before it is put into the order of derivation. */
export interface StoredEvent extends EventFact {
  /** `BeginBlock`, `EndBlock` or empty. */
  readonly mode: string;
}

const TX_PHASE = 2;
const PHASES: ReadonlyMap<string, number> = new Map([
  ['', 0],
  ['BeginBlock', 1],
  ['EndBlock', 3],
]);

function phaseOf({ txIndex, mode }: StoredEvent): number {
  return txIndex >= 0 ? TX_PHASE : (PHASES.get(mode) ?? 0);
}

/** Puts a block's events into the order of derivation. */
export function inOrderOfDerivation(events: StoredEvent[]): EventFact[] {
  return events.sort(
    (a, b) => phaseOf(a) - phaseOf(b) || a.txIndex - b.txIndex || a.eventIndex - b.eventIndex,
  );
}
