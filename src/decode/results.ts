/** block_results as both readers (results-scan.ts, results-parse.ts) yield it. All texts are latin1. */

export interface EventRecord {
  /** JSON-escaped, canonical. */
  readonly type: string;
  /** Key, value, key, value, …, JSON-escaped, canonical. */
  readonly attributes: readonly string[];
  /** The API's text of the attributes: `[{"key":"…","value":"…"},…]`. */
  readonly attributesText: string;
  /** Set by the list that a 0.34 node put the event in; 0.38 says it in a trailing attribute. */
  readonly mode: '' | 'BeginBlock' | 'EndBlock';
}

export interface TxResult {
  readonly code: number;
  /** Base64 of TxMsgData, empty when null. */
  readonly data: string;
  /** JSON-escaped, canonical. */
  readonly log: string;
  readonly gasWanted: string;
  readonly gasUsed: string;
  readonly codespace: string;
  readonly events: readonly EventRecord[];
}

export interface BlockResults {
  readonly txResults: readonly TxResult[];
  readonly blockEvents: readonly EventRecord[];
}

export function attributesText(attributes: readonly string[]): string {
  let text = '[';
  for (let i = 0; i < attributes.length; i += 2) {
    text += `${i === 0 ? '' : ','}{"key":"${attributes[i]}","value":"${attributes[i + 1]}"}`;
  }
  return `${text}]`;
}
