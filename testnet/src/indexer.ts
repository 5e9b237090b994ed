import type { HttpAnswer } from 'strata-kit/http/body';
import { connectHttp } from 'strata-kit/http/client';
import { AppError } from './errors.ts';

/** The indexer's API as the app's parts ask it. */
export interface Indexer {
  /** Without a slash at its end; what `/v1` is forwarded to. It may hold a user and a password. */
  readonly url: string;
  /**
   * The JSON of a 200 of `path` (`/v1/prices/…`), undefined for a 404. Errors: AppError unavailable for anything else,
   * also when nothing comes in time or too much.
   */
  get(path: string): Promise<unknown>;
}

const REQUEST_MS = 5_000;
const CONNECTIONS = 32;
const MAX_IN_FLIGHT = 256;
/** Ten times the largest page that the parts ask for (100 txs with their events). */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/** `url` without a slash at its end. */
export function connectIndexer(url: string, { requestMs = REQUEST_MS } = {}): Indexer {
  const service = connectHttp(url, {
    connections: CONNECTIONS,
    connectTimeoutMs: requestMs,
    maxInFlight: MAX_IN_FLIGHT,
  });
  const limits = { silenceMs: requestMs, deadlineMs: requestMs, maxBodyBytes: MAX_ANSWER_BYTES };
  return {
    url,
    async get(path) {
      try {
        return jsonOf(await service.ask({ path }, limits));
      } catch (cause) {
        throw new AppError('unavailable', 'the indexer does not answer', { cause });
      }
    },
  };
}

/** Undefined for a 404. */
function jsonOf({ status, bytes }: HttpAnswer): unknown {
  if (status === 404) return undefined;
  if (status !== 200) throw new Error(`status ${status}`);
  return JSON.parse(Buffer.from(bytes).toString('utf8'));
}
