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
  /** Every tx, failed included. */
  readonly txCount: number;
  /**
   * Those whose first message is an Ethereum one, so that their `evm` is not null, failed included; 0 where no module asked
   * for Ethereum messages.
   */
  readonly evmTxCount: number;
  /**
   * Logs of txs with code 0 that a module asked for, by tx, message and log index. Of contracts that others are taken to
   * have made there may be more than were asked for: whether a log's contract is a child is the module's to know.
   */
  readonly logs: readonly LogFact[];
  /** Bank transfers of txs with code 0 from the senders that a module asked for, by tx and event index. */
  readonly transfers: readonly TransferFact[];
  /** Ethereum messages of txs with code 0 and status 1, by tx and message index; none where no module asked. */
  readonly evmTxs: readonly EvmTxFact[];
  /** The accounts (bech32) that took part in a tx (rule 3 of api.md's endpoints), each once, in any order; as evmTxs. */
  readonly accounts: readonly string[];
}

export interface LogFact {
  readonly txIndex: number;
  readonly msgIndex: number;
  readonly logIndex: number;
  /** 40 lower-case hex digits. */
  readonly address: string;
  /** Up to four, each 64 lower-case hex digits. */
  readonly topics: readonly string[];
  readonly data: Uint8Array;
}

export interface TransferFact {
  readonly txIndex: number;
  readonly eventIndex: number;
  /** Bech32. */
  readonly sender: string;
  readonly recipient: string;
  /** The coin list as the node printed it: `12atest,5uusd`. */
  readonly amount: string;
}

export interface EvmTxFact {
  readonly txIndex: number;
  readonly msgIndex: number;
  /** 40 lower-case hex digits. */
  readonly sender: string;
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
  readonly logs: readonly LogWish[];
  /** Bech32. */
  readonly transferSenders: ReadonlySet<string>;
  readonly evmTxs: boolean;
  readonly accounts: boolean;
}

/** Logs of one contract, and of those that it makes. Addresses and topics as in LogFact. */
export interface LogWish {
  readonly address: string;
  /** Of the first topic; no log has none of them. */
  readonly topics: readonly string[];
  /**
   * A contract that makes others tells each in a log with the topic `told`, whose data begin with the new one's address:
   * logs of those with `topics` are wanted too.
   */
  readonly children?: { readonly told: string; readonly topics: readonly string[] };
}

/** No facts but events. */
export const NO_WISHES = {
  logs: [],
  transferSenders: new Set<string>(),
  evmTxs: false,
  accounts: false,
} as const;

/** The parts of a block that only some modules ask for, where none has. */
export const NO_MORE_FACTS = {
  failedTxs: [],
  txCount: 0,
  evmTxCount: 0,
  logs: [],
  transfers: [],
  evmTxs: [],
  accounts: [],
} as const;

/** By tx, message and log index: the order of logs whether a node numbers them a block, a tx or a message. */
export function byLog(a: LogFact, b: LogFact): number {
  return a.txIndex - b.txIndex || a.msgIndex - b.msgIndex || a.logIndex - b.logIndex;
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
