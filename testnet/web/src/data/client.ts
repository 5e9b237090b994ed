import { createStrataClient } from '../../../../clients/ts/src/client.ts';
import { AskError, asAskError } from './errors.ts';

/** The indexer's API, which the app passes on. Use with `told`. */
export const v1 = createStrataClient({ baseUrl: location.origin });

interface Told<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The data of a call of `v1`. Errors: AskError. */
export async function told<T>(call: Promise<Told<T>>): Promise<T> {
  let answer: Told<T>;
  try {
    answer = await call;
  } catch (error) {
    throw asAskError(error);
  }
  if (answer.data !== undefined) return answer.data;
  throw refusal(answer.response, answer.error);
}

/** A JSON route of the app itself (`/api/…`). Errors: AskError. */
export async function askApp<T>(path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      ...(signal === undefined ? {} : { signal }),
      ...(body === undefined
        ? {}
        : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw asAskError(error);
  }
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok) return answer as T;
  throw refusal(response, answer);
}

function refusal({ status, headers }: Response, body: unknown): AskError {
  const { error, code } = (body ?? {}) as { readonly error?: unknown; readonly code?: unknown };
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new AskError(
    status,
    typeof code === 'string' ? code : 'internal',
    typeof error === 'string' ? error : `the server answered ${status}`,
    Number.isFinite(seconds) ? seconds : undefined,
  );
}
