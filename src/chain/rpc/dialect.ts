/**
 * How a node is asked: by POST in batches of so many calls, by POST one call at a time, or by GET of a path. Gateways
 * refuse batches and POST in words of their own, so each node's dialect is learned from what it answers: half the batch,
 * then single calls, then GET, and up again after a while. Times are the clock's milliseconds.
 */
export interface Dialect {
  readonly transport: 'post' | 'get';
  /** Calls in a request, 1 for GET. */
  readonly calls: number;
}

export interface Learning {
  /** What is configured. */
  readonly wanted: Dialect;
  /** What the node takes, as far as is known. */
  current: Dialect;
  /** The node has answered a POST. */
  takesPost: boolean;
  /** Failures in a row that a refusal may be the reason of. */
  suspicions: number;
  /** Since when nothing but 429 came; undefined while something else does. */
  throttledSinceMs: number | undefined;
  /** No likely refusal counts before; a node that fails in every dialect is not asked five times for each request. */
  learnAgainAtMs: number;
  learnPauseMs: number;
  /** When a wider dialect is tried, and how long after the next refusal. */
  widenAtMs: number;
  widenPauseMs: number;
  isWidening: boolean;
}

/** How sure it is that the request was refused for its form. */
export type Refusal =
  /** The form is refused; perhaps with the largest batch that is taken. */
  | { readonly kind: 'certain'; readonly limit?: number | undefined }
  /** It may be, or the node fails. */
  | { readonly kind: 'likely' };

export const SINGLE: Dialect = { transport: 'post', calls: 1 };
export const BY_PATH: Dialect = { transport: 'get', calls: 1 };

/** So many likely refusals in a row are taken for one. */
const SUSPICIONS = 3;
/** Gateways that count each call of a batch answer 429 to a batch that is larger than what they take in a second. */
const THROTTLED_MS = 10_000;
/** A node that failed for other reasons takes batches again in a moment. */
const FIRST_PAUSE_MS: Readonly<Record<Refusal['kind'], number>> = { likely: 1_000, certain: 60_000 };
const MAX_PAUSE_MS = 1_800_000;
const FIRST_LEARN_PAUSE_MS = 5_000;
/** More than there are dialects; another request may move what is known while one searches. */
const MAX_STEPS = 12;

export function createLearning(calls: number): Learning {
  const wanted: Dialect = { transport: 'post', calls };
  return {
    wanted,
    current: wanted,
    takesPost: false,
    suspicions: 0,
    throttledSinceMs: undefined,
    learnAgainAtMs: Number.NEGATIVE_INFINITY,
    learnPauseMs: FIRST_LEARN_PAUSE_MS,
    widenAtMs: Number.POSITIVE_INFINITY,
    widenPauseMs: 0,
    isWidening: false,
  };
}

/** How one request is asked until it is answered. */
export interface Search {
  readonly began: Dialect;
  /** In which dialects it was refused. */
  readonly refused: Set<string>;
  asked: Dialect;
  /** It tries a wider dialect than is known to be taken. */
  isTrial: boolean;
  steps: number;
}

/** The dialect for the next request, now and then a wider one than is known to be taken. */
export function beginSearch(learning: Learning, nowMs: number): Search {
  const began = learning.current;
  const isTrial = nowMs >= learning.widenAtMs && !learning.isWidening && !isSame(began, learning.wanted);
  if (isTrial) learning.isWidening = true;
  const asked = isTrial ? wider(began, learning.wanted) : began;
  return { began, refused: new Set(), asked, isTrial, steps: 0 };
}

/** What was asked was answered. */
export function noteUnderstood(learning: Learning, search: Search, nowMs: number): void {
  learning.suspicions = 0;
  learning.throttledSinceMs = undefined;
  learning.learnPauseMs = FIRST_LEARN_PAUSE_MS;
  if (search.asked.transport === 'post') learning.takesPost = true;
  if (search.isTrial) {
    search.isTrial = false;
    learning.isWidening = false;
  }
  if (!isWider(search.asked, learning.current)) return;
  learning.current = search.asked;
  if (isSame(learning.current, learning.wanted)) settle(learning);
  else learning.widenAtMs = nowMs;
}

/**
 * What was asked was refused, or may have been. The dialect to ask the same in; undefined: the failure is the caller's.
 * A node that answers in no dialect is left with the one that the search began with.
 */
export function noteRefused(
  learning: Learning,
  search: Search,
  refusal: Refusal,
  nowMs: number,
): Dialect | undefined {
  const { asked, began, refused } = search;
  if (++search.steps > MAX_STEPS) return undefined;
  if (isWider(asked, learning.current)) {
    // a trial, or a request that was on its way when another one learned the same
    endTrial(learning, search, refusal.kind, nowMs);
    search.asked = learning.current;
    return search.asked;
  }
  endTrial(learning, search, refusal.kind, nowMs);
  learning.suspicions++;
  if (refusal.kind === 'likely' && refused.size === 0) {
    if (learning.suspicions < SUSPICIONS || nowMs < learning.learnAgainAtMs) return undefined;
  }
  refused.add(keyOf(asked));
  const next = isSame(asked, BY_PATH) ? SINGLE : narrower(asked, refusal);
  if (refused.has(keyOf(next))) {
    if (isSame(learning.current, asked)) learning.current = began;
    learning.suspicions = 0;
    learning.learnAgainAtMs = nowMs + learning.learnPauseMs;
    learning.learnPauseMs = Math.min(MAX_PAUSE_MS, learning.learnPauseMs * 2);
    return undefined;
  }
  if (isSame(learning.current, asked)) moveTo(learning, next, refusal.kind, nowMs);
  search.asked = learning.current;
  return search.asked;
}

/** The request ended without an answer, and not for its form. */
export function endSearch(learning: Learning, search: Search, nowMs: number): void {
  endTrial(learning, search, 'likely', nowMs);
}

/** A 429; true when nothing else has come for so long that a smaller request may be what the node takes. */
export function isThrottledForLong(learning: Learning, nowMs: number): boolean {
  learning.throttledSinceMs ??= nowMs;
  if (nowMs - learning.throttledSinceMs < THROTTLED_MS) return false;
  learning.throttledSinceMs = nowMs;
  return true;
}

/** The node refused a single POST and answered the same by GET. */
export function noteByPath(learning: Learning, nowMs: number): void {
  // a gateway may refuse one method and take the others
  if (!learning.takesPost) moveTo(learning, BY_PATH, 'certain', nowMs);
}

/** For logs and people. */
export function describeDialect({ transport, calls }: Dialect): string {
  if (transport === 'get') return 'single calls by GET';
  return calls === 1 ? 'single calls by POST' : `batches of ${calls} calls by POST`;
}

export function isSame(a: Dialect, b: Dialect): boolean {
  return a.transport === b.transport && a.calls === b.calls;
}

function endTrial(learning: Learning, search: Search, kind: Refusal['kind'], nowMs: number): void {
  if (!search.isTrial) return;
  search.isTrial = false;
  learning.isWidening = false;
  putOff(learning, kind, nowMs);
}

function moveTo(learning: Learning, dialect: Dialect, kind: Refusal['kind'], nowMs: number): void {
  learning.current = dialect;
  putOff(learning, kind, nowMs);
}

/** The next trial of a wider dialect comes later with each refusal. */
function putOff(learning: Learning, kind: Refusal['kind'], nowMs: number): void {
  learning.widenPauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS[kind], learning.widenPauseMs * 2));
  learning.widenAtMs = nowMs + learning.widenPauseMs;
}

function settle(learning: Learning): void {
  learning.widenAtMs = Number.POSITIVE_INFINITY;
  learning.widenPauseMs = 0;
}

/** The limit that the node names, else half. */
function narrower({ calls }: Dialect, refusal: Refusal): Dialect {
  if (calls === 1) return BY_PATH;
  const limit = refusal.kind === 'certain' ? refusal.limit : undefined;
  const isLess = limit !== undefined && limit >= 1 && limit < calls;
  return { transport: 'post', calls: isLess ? limit : Math.floor(calls / 2) };
}

function wider(dialect: Dialect, wanted: Dialect): Dialect {
  if (dialect.transport === 'get') return SINGLE;
  return { transport: 'post', calls: Math.min(wanted.calls, dialect.calls * 2) };
}

function isWider(a: Dialect, b: Dialect): boolean {
  if (a.transport !== b.transport) return a.transport === 'post';
  return a.calls > b.calls;
}

function keyOf({ transport, calls }: Dialect): string {
  return `${transport} ${calls}`;
}
