import createClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { Error as ErrorBody, paths } from './schema.ts';

export type * from './schema.ts';

/** Every route of the API as a typed call: `client.GET('/v1/blocks/{height}', { params: { path: { height } } })`. */
export type StrataClient = Client<paths, `${string}/${string}`>;

/**
 * A client of the API at `baseUrl` (`http://127.0.0.1:8080`). A call resolves with `data`, or with `error` and the
 * response where the service refused it; it rejects only where no answer came.
 */
export function createStrataClient(options: ClientOptions & { readonly baseUrl: string }): StrataClient {
  // lists of ids stand in one parameter, with commas between
  return createClient<paths>({ querySerializer: { array: { style: 'form', explode: false } }, ...options });
}

/** An answer that is no 200: what `pages` throws. */
export class StrataApiError extends Error {
  readonly status: number;
  /** Of the contract: bad_request, not_found, method_not_allowed, internal. */
  readonly code: string;

  constructor(status: number, { error, code }: ErrorBody) {
    super(error);
    this.name = 'StrataApiError';
    this.status = status;
    this.code = code;
  }
}

interface Page {
  readonly next_cursor: string | null;
}

interface Told {
  readonly data?: Page;
  readonly error?: ErrorBody;
  readonly response: Response;
}

/** A call of a list's route. */
type Ask = (cursor: { readonly cursor?: string }) => Promise<Told>;

/**
 * Every page of a list, one after another, from the first on:
 *
 *     for await (const { assets } of pages((cursor) => client.GET('/v1/assets', { params: { query: { ...cursor } } })))
 *
 * `ask` gets `{}` for the first page, then `{ cursor }`. Errors: StrataApiError.
 */
export async function* pages<A extends Ask>(
  ask: A,
): AsyncGenerator<NonNullable<Awaited<ReturnType<A>>['data']>, void> {
  let cursor: string | null = null;
  do {
    const { data, error, response }: Told = await ask(cursor === null ? {} : { cursor });
    if (data === undefined) {
      throw new StrataApiError(response.status, error ?? { error: response.statusText, code: 'internal' });
    }
    yield data as NonNullable<Awaited<ReturnType<A>>['data']>;
    cursor = data.next_cursor;
  } while (cursor !== null);
}
