import type { EventSpans } from './event-spans.ts';

/** block_results as the scanner reads it. Texts are latin1 and lie in the block's own text. */
export interface TxResult {
  readonly code: number;
  /** Base64 of TxMsgData, empty when null. */
  readonly data: string;
  /** JSON-escaped, canonical. */
  readonly log: string;
  readonly gasWanted: string;
  readonly gasUsed: string;
  readonly codespace: string;
  /** Its events in BlockResults.spans: firstEvent up to, not including, endEvent. */
  readonly firstEvent: number;
  readonly endEvent: number;
}

/** Valid until the scanner reads the next block. */
export interface BlockResults {
  readonly spans: EventSpans;
  readonly txResults: readonly TxResult[];
  /** The block-level events in spans. */
  readonly firstBlockEvent: number;
  readonly endBlockEvent: number;
  /** 0.34 and 0.37: how many of the block-level events came in begin_block_events; −1 where attributes say the mode. */
  readonly beginBlockEvents: number;
}
