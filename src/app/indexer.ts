import { AppError } from './errors.ts';

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

const REQUEST_MS = 5_000;

/** `url` without a slash at its end. */
export function connectIndexer(url: string, { requestMs = REQUEST_MS } = {}): Indexer {
  return {
    url,
    async get(path) {
      try {
        const response = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(requestMs) });
        if (response.status === 404) {
          await response.body?.cancel();
          return undefined;
        }
        if (response.status === 200) return (await response.json()) as unknown;
        await response.body?.cancel();
        throw new Error(`status ${response.status}`);
      } catch (cause) {
        throw new AppError('unavailable', 'the indexer does not answer', { cause });
      }
    },
  };
}
