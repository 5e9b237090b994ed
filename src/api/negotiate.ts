/** Reads Accept-Encoding and If-None-Match (RFC 9110, sections 12.5.3 and 13.1.2). */

export type Coding = 'br' | 'gzip';

/** From the best on: br is smaller at the same cost. */
const CODINGS: readonly Coding[] = ['br', 'gzip'];
const KEPT_HEADERS = 64;
const LONGEST_HEADER = 1000;

const kept = new Map<string, Coding | undefined>();

/**
 * The coding to answer in; undefined for none. The greatest q counts, br before gzip before none where it is equal.
 * A header that names nothing we have is answered without a coding, never by a 406.
 */
export function preferredCoding(acceptEncoding: string): Coding | undefined {
  if (acceptEncoding === '' || acceptEncoding.length > LONGEST_HEADER) return undefined;
  if (kept.has(acceptEncoding)) return kept.get(acceptEncoding);
  const coding = choose(acceptEncoding);
  // few clients send few texts; beyond that it is read each time
  if (kept.size < KEPT_HEADERS) kept.set(acceptEncoding, coding);
  return coding;
}

/** Whether an If-None-Match lists `etag`, by weak comparison; `*` matches whatever is there. */
export function listsEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  // our opaque tags hold no quotes, so the quoted tag stands in the text only as an entry of the list
  return ifNoneMatch.includes(etag.replace(/^W\//, ''));
}

function choose(acceptEncoding: string): Coding | undefined {
  const weights = new Map<string, number>();
  for (const entry of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((text) => text.trim());
    if (name !== '') weights.set(name === 'x-gzip' ? 'gzip' : name, weightOf(parameters));
  }
  const others = weights.get('*') ?? 0;
  let best: Coding | undefined;
  // none is acceptable unless it is refused, and preferred only where the client says so
  let bestWeight = weights.get('identity') ?? 0;
  for (const coding of [...CODINGS].reverse()) {
    const weight = weights.get(coding) ?? others;
    if (weight > 0 && weight >= bestWeight) {
      best = coding;
      bestWeight = weight;
    }
  }
  return best;
}

/** 1 when absent; a weight that cannot be read refuses. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (text === undefined) return 1;
  const value = text.slice(text.indexOf('=') + 1).trim();
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
