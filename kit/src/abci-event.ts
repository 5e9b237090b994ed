/** An event as CometBFT holds it. The app adds `mode` and `msg_index` after the other attributes. */
export interface AbciEvent {
  readonly type: string;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}
