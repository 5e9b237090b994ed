/** Who sends a request. */
export interface Caller {
  /** Clients take turns: no client's requests wait for all of another's. */
  readonly client: string;
  /** Aborts when the client's connection ends. */
  readonly signal: AbortSignal | undefined;
}
