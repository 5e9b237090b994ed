import { StrataError } from 'strata-kit/errors';

/** Reads the request target (path and query as they stood in the request line). */

export const MAX_TARGET_LENGTH = 8192;

export interface Target {
  /** Percent-decoded segments of the path: `/v1/txs` gives `['v1', 'txs']`. */
  readonly segments: readonly string[];
  /** The raw text behind `?`, without it. */
  readonly rawQuery: string;
}

/** Errors: bad_request for a target that is too long, no absolute path, or has a bad percent escape in its path. */
export function parseTarget(target: string): Target {
  if (target.length > MAX_TARGET_LENGTH) {
    throw new StrataError('bad_request', `path and query are longer than ${MAX_TARGET_LENGTH} characters`);
  }
  if (!target.startsWith('/')) throw new StrataError('bad_request', 'path must start with /');
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const segments = path
    .slice(1)
    .split('/')
    .map((segment) => {
      const text = decodePercent(segment);
      if (text === undefined) throw new StrataError('bad_request', 'path has a bad percent escape');
      return text;
    });
  return { segments, rawQuery: mark < 0 ? '' : target.slice(mark + 1) };
}

/**
 * The parameters among `names`, first value of each; all others are ignored, whatever they hold.
 * Errors: bad_request for a bad percent escape in a value that counts.
 */
export function parseQuery(rawQuery: string, names: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  if (rawQuery === '' || names.length === 0) return found;
  for (const pair of rawQuery.split('&')) {
    const mark = pair.indexOf('=');
    const name = decodePercent(mark < 0 ? pair : pair.slice(0, mark));
    if (name === undefined || !names.includes(name) || found.has(name)) continue;
    const value = decodePercent(mark < 0 ? '' : pair.slice(mark + 1).replaceAll('+', ' '));
    if (value === undefined) throw new StrataError('bad_request', `${name} has a bad percent escape`);
    found.set(name, value);
  }
  return found;
}

function decodePercent(text: string): string | undefined {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
