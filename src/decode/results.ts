/** One tx of block_results as the scanner reads it. Texts are latin1. */
export interface TxResult {
  readonly code: number;
  /** Base64 of TxMsgData, empty when null. */
  readonly data: string;
  /** JSON-escaped, canonical. */
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly codespace: string;
  readonly events: EventsText;
}

/** A list of events, printed. */
export interface EventsText {
  readonly count: number;
  /** Where its JSON text stands in BlockResults.text: start up to, not including, end. */
  readonly start: number;
  readonly end: number;
  /** Accounts that the events name, each once. */
  readonly mentioned: readonly string[];
  /** Spenders and receivers of bank movements, module accounts left out (rule 3). */
  readonly parties: Set<string>;
  /** Whether one of them is a `tx_log`: old ethermint chains tell an EVM log so. */
  readonly hasTxLogs: boolean;
}

/** block_results as the scanner reads it. Valid until the scanner reads the next block. */
export interface BlockResults {
  /** The API's JSON texts of all lists of events. */
  readonly text: Buffer;
  readonly txResults: readonly TxResult[];
  readonly blockEvents: EventsText;
  /** Of the block and its txs. */
  readonly eventCount: number;
}
