/**
 * A database is one desk's, since what a desk has promised and the chain does not know yet is reckoned in one process.
 * What holds it ends with the process, however that ends: a lock of the operating system, or a session of the server.
 */
export interface Hold {
  /** False from when its session is known to have ended until there is another. */
  isHeld(): boolean;
  /** Looks after it until the signal aborts. Errors: StrataError store_in_use when another process has taken it. */
  keep(signal: AbortSignal): Promise<void>;
  release(): Promise<void>;
}
