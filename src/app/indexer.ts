/** The indexer's API as the app's parts ask it. */
export interface Indexer {
  /** Without a slash at its end; what `/v1` is forwarded to. */
  readonly url: string;
  /**
   * The JSON of a 200 of `path` (`/v1/prices/…`), undefined for a 404. Errors: AppError unavailable for anything else,
   * also when nothing comes in time.
   */
  get(path: string): Promise<unknown>;
}
