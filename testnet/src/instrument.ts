/** What the desk trades under a symbol. */
export interface Instrument {
  /** 2 to 12 of A-Z and 0-9. */
  readonly symbol: string;
  /** 64 lower-case hex digits. */
  readonly assetId: string;
}
