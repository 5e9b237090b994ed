import { LRUCache } from 'lru-cache';
import type { Clock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { areModulesOn } from '../core/layers.ts';
import type { RowBinary, Store } from '../store/store.ts';
import { createAccountCounts } from './account-counts.ts';
import {
  answerToError,
  errorAnswer,
  type HttpAnswer,
  JSON_TYPE,
  joinParts,
  okAnswer,
  unavailableAnswer,
} from './answer.ts';
import { type DerivedTypes, mayBeApplied, NO_DERIVED_TYPES } from './applied.ts';
import { NOT_SHOWN_YET } from './as-of.ts';
import { createAnswerCache, createCoalescer } from './cache.ts';
import type { CandidateFinder } from './candidates.ts';
import { createCompressor } from './compressor.ts';
import { createCursorCodec } from './cursor.ts';
import { createGatheredReads } from './gathered-reads.ts';
import { createLookups } from './lookups.ts';
import { createReaderPool, DEADLINE_PASSED, OVERLOADED } from './readers.ts';
import { createResource, type Resource, selectForm } from './resource.ts';
import type { ChainIdentity, Route, RouteAnswer, RouteContext, RouteRequest, Snapshot } from './route.ts';
import { createRouter } from './router.ts';
import { ROUTES } from './routes.ts';
import { type ChainState, isSameGeneration, stateKey } from './state.ts';
import { MAX_TARGET_LENGTH, parseQuery, parseTarget } from './target.ts';
import { createChainTotals, createDayTotals } from './totals.ts';

export const REQUEST_DEADLINE_MS = 10_000;
const CACHE_BYTES = 64 * 1024 * 1024;
const MAX_WAITING_QUERIES = 1000;

export interface ApiOptions {
  /** Sessions that answers read with, side by side; the caller closes them. */
  readonly readers: readonly Store[];
  readonly state: Pick<ChainState, 'current' | 'refresh'>;
  readonly chain: ChainIdentity;
  /** Signs cursors: secret, and the same on every process over the store (cursor-key.ts). */
  readonly cursorKey: () => Uint8Array;
  /** The text of openapi.yaml. */
  readonly openapi: Uint8Array;
  readonly clock: Clock;
  /** Hears of every failure that is answered as internal. */
  readonly reportError: (error: unknown, target: string) => void;
  /** The types that modules derive, where they are on. */
  readonly derivedTypes?: DerivedTypes;
  /** Names of the modules that derive in every store; none unless given. */
  readonly baseModules?: ReadonlySet<string>;
  /** The modules' routes, beside the base layer's. */
  readonly routes?: readonly Route[];
  /** The module whose rows a route answers from: where none are derived it has none. */
  readonly derivedBy?: ReadonlyMap<Route, string>;
  /** What /v1/lookup/{q} may find beside the base layer's records, in any order. */
  readonly candidates?: readonly CandidateFinder[];
  readonly deadlineMs?: number;
  readonly cacheBytes?: number;
  /** Called before each answer, which waits for the promise, if there is one; it must not reject. */
  readonly freshen?: () => Promise<void> | undefined;
  readonly onAnswer?: AnswerObserver;
}

/** One answer, as a metrics listener wants it. */
export interface AnswerReport {
  /** The route's template, `/v1/txs/{hash}`; `unknown` for a target of no route and `refused` before one was looked for. */
  readonly route: string;
  readonly status: HttpAnswer['status'];
  /** From the request to its answer; what a slow client takes to read it does not count. */
  readonly durationMs: number;
  /** The body was at hand: no query ran for this request, nor for one that it waited with. */
  readonly cached: boolean;
  /** Of the body. */
  readonly bytes: number;
}

/** Called once an answer on the path of every request: it must be quick and must not throw. */
export type AnswerObserver = (report: AnswerReport) => void;

export interface Api {
  /**
   * Answers one request; `method` in upper case, `target` the path and query as in the request line, then the values of
   * two headers, empty where the request has none. Never throws or rejects: every failure is an answer.
   */
  handle(
    method: string,
    target: string,
    acceptEncoding?: string,
    ifNoneMatch?: string,
  ): HttpAnswer | Promise<HttpAnswer>;
  /** The answer to a request that is not looked at: it is malformed, as `problem` says, or too much is under way. */
  refuse(problem?: string): HttpAnswer;
}

/** What an answer's report needs to know of how it came about. */
interface Trace {
  route: string;
  cached: boolean;
}

/** What a target was read as. */
interface KnownRequest {
  readonly route: Route;
  readonly request: RouteRequest;
  readonly key: string;
}

/** Reading a target costs as much as all else that a kept answer takes, so the last ones are remembered. */
const KNOWN_REQUESTS = 1000;
const KNOWN_TARGET_LENGTH = 500;

const NO_ROUTE = 'unknown';
const REFUSED = 'refused';

/** What a module's tables hold where there are none. */
const NO_ROWS: RowBinary = new Uint8Array(0);

export function createApi(options: ApiOptions): Api {
  const { state, clock, reportError, onAnswer, baseModules = new Set<string>() } = options;
  const deadlineMs = options.deadlineMs ?? REQUEST_DEADLINE_MS;
  const routes = [...ROUTES, ...(options.routes ?? [])];
  const routeOf = createRouter<Route>(routes.map((route) => [route.path, route] as const));
  const pool = createReaderPool(options.readers, () => clock.nowMs(), MAX_WAITING_QUERIES);
  const shared = { query: pool.query, nowMs: () => clock.nowMs(), maxWaiting: MAX_WAITING_QUERIES };
  const lookups = createLookups(shared);
  const gatheredRead = createGatheredReads(shared);
  const accountCounts = createAccountCounts(shared);
  const cache = createAnswerCache(options.cacheBytes ?? CACHE_BYTES);
  const knownRequests = new LRUCache<string, KnownRequest>({ max: KNOWN_REQUESTS });
  const compressor = createCompressor();
  const coalesce = createCoalescer<Resource | HttpAnswer>();
  const chainTotals = createChainTotals();
  const dayTotals = createDayTotals();
  const cursors = createCursorCodec(options.cursorKey);

  const keptOf = new Map<() => unknown, unknown>();
  const kept = <T>(create: () => T): T => {
    if (!keptOf.has(create)) keptOf.set(create, create());
    return keptOf.get(create) as T;
  };

  const isDerived = (route: Route, { generations }: Snapshot): boolean => {
    const module = options.derivedBy?.get(route);
    return module === undefined || generations.has(module);
  };

  const contextOf = (route: Route, snapshot: Snapshot): RouteContext => {
    const endMs = clock.nowMs() + deadlineMs;
    const query = (sql: string) =>
      isDerived(route, snapshot) ? pool.query(sql, endMs) : Promise.resolve(NO_ROWS);
    return {
      snapshot,
      chain: options.chain,
      clock,
      cursors,
      derivedTypes: areModulesOn(snapshot.generations, baseModules)
        ? (options.derivedTypes ?? NO_DERIVED_TYPES)
        : NO_DERIVED_TYPES,
      openapi: options.openapi,
      candidates: options.candidates ?? [],
      query,
      endMs,
      lookups,
      gather: (read, key) =>
        isDerived(route, snapshot) ? gatheredRead(read, key, snapshot, endMs) : Promise.resolve(undefined),
      kept,
      accountMethodCounts: (account) => accountCounts(account, snapshot, endMs),
      methodCounts: () => chainTotals(snapshot.indexedHeight, query),
      dayCounts: () => dayTotals(snapshot.indexedHeight, query),
    };
  };

  const failed = (error: unknown, target: string): HttpAnswer => {
    const { answer, foreseen } = answerToError(error);
    if (!foreseen) reportError(error, target.slice(0, MAX_TARGET_LENGTH));
    return answer;
  };

  /** Events are told as not applied that will be: modules have still to derive from the store's. */
  const isToBeDerived = (body: Uint8Array, { generations }: Snapshot): boolean =>
    !areModulesOn(generations, baseModules) && mayBeApplied(body, options.derivedTypes ?? NO_DERIVED_TYPES);

  /** The resource of a request, or the error in its place. */
  const resourceOf = (
    route: Route,
    request: RouteRequest,
    key: string,
    target: string,
    trace: Trace,
  ): Resource | Promise<Resource | HttpAnswer> => {
    const snapshot = state.current();
    const now = stateKey(snapshot);
    const kept = cache.get(key, now);
    if (kept !== undefined) {
      trace.cached = true;
      return kept;
    }
    return coalesce(`${now} ${key}`, async () => {
      try {
        const answer = await answerAt(route, request, snapshot);
        const body = joinParts(answer.parts);
        const settled = answer.settled === true && !isToBeDerived(body, snapshot);
        const resource = createResource(
          body,
          answer.contentType ?? JSON_TYPE,
          settled ? 'settled' : 'moving',
        );
        cache.set(key, now, resource, settled || route.cache === 'process');
        return resource;
      } catch (error) {
        return failed(error, target);
      }
    });
  };

  /**
   * As of a snapshot, or, where modules were derived again meanwhile, as of the one that shows it: the rows of the
   * generation before may be gone, so that neither an answer nor an error that came of it counts.
   */
  const answerAt = async (
    route: Route,
    request: RouteRequest,
    snapshot: Snapshot,
    isRefreshed = false,
  ): Promise<RouteAnswer> => {
    const given = await settle(() =>
      withDeadline(route.handle(request, contextOf(route, snapshot)), deadlineMs),
    );
    const newest = state.current();
    if (!isSameGeneration(newest, snapshot)) return answerAt(route, request, newest, isRefreshed);
    if ('value' in given) return given.value;
    if (!isNotShownYet(given.error)) throw given.error;
    if (isRefreshed) throw beyondState(given.error, newest);
    // another process may show a newer block: what is in the store is known after one look
    await state.refresh();
    return answerAt(route, request, state.current(), true);
  };

  const answerNow = async (route: Route, request: RouteRequest): Promise<HttpAnswer> => {
    const { parts, contentType } = await answerAt(route, request, state.current());
    return okAnswer(parts, contentType);
  };

  const requestOf = (target: string): KnownRequest => {
    const known = knownRequests.get(target);
    if (known !== undefined) return known;
    const { segments, rawQuery } = parseTarget(target);
    const match = routeOf(segments);
    if (match === undefined) throw new StrataError('not_found', 'no such path');
    const route = match.value;
    const request = { params: match.params, query: parseQuery(rawQuery, route.query) };
    const found = { route, request, key: requestKey(route, request) };
    if (target.length <= KNOWN_TARGET_LENGTH) knownRequests.set(target, found);
    return found;
  };

  const answer = (
    method: string,
    target: string,
    acceptEncoding: string,
    ifNoneMatch: string,
    trace: Trace,
  ): HttpAnswer | Promise<HttpAnswer> => {
    if (method !== 'GET') return errorAnswer('method_not_allowed', 'only GET is served');
    try {
      const { route, request, key } = requestOf(target);
      trace.route = route.path;
      if (route.cache === 'none') {
        return answerNow(route, request).catch((error) => failed(error, target));
      }
      const select = (resource: Resource) =>
        selectForm(resource, acceptEncoding, ifNoneMatch, compressor, (grown) => cache.grew(key, grown));
      const found = resourceOf(route, request, key, target, trace);
      if (!(found instanceof Promise)) return select(found);
      return found.then((late) => ('etag' in late ? select(late) : late));
    } catch (error) {
      return failed(error, target);
    }
  };

  const answerFresh: typeof answer = (...request) => {
    const fresh = options.freshen?.();
    return fresh === undefined ? answer(...request) : fresh.then(() => answer(...request));
  };

  const report = (given: HttpAnswer, trace: Trace, startMs: number): HttpAnswer => {
    const durationMs = performance.now() - startMs;
    const { route, cached } = trace;
    onAnswer?.({ route, status: given.status, durationMs, cached, bytes: given.body.length });
    return given;
  };

  return {
    handle: (method, target, acceptEncoding = '', ifNoneMatch = '') => {
      const trace = { route: NO_ROUTE, cached: false };
      if (onAnswer === undefined) return answerFresh(method, target, acceptEncoding, ifNoneMatch, trace);
      const startMs = performance.now();
      const given = answerFresh(method, target, acceptEncoding, ifNoneMatch, trace);
      return given instanceof Promise
        ? given.then((late) => report(late, trace, startMs))
        : report(given, trace, startMs);
    },
    refuse: (problem) => {
      const refused =
        problem === undefined ? unavailableAnswer(OVERLOADED) : errorAnswer('bad_request', problem);
      onAnswer?.({
        route: REFUSED,
        status: refused.status,
        durationMs: 0,
        cached: false,
        bytes: refused.body.length,
      });
      return refused;
    },
  };
}

/** Equal for requests that must have equal answers: what a route ignores does not count. */
function requestKey(route: Route, request: RouteRequest): string {
  const query = route.query.map((name) => request.query.get(name) ?? null);
  return JSON.stringify([route.path, ...request.params.values(), ...query]);
}

/** The engine stops the query by itself at the same time; this bounds what the client waits. */
function withDeadline(
  answer: RouteAnswer | Promise<RouteAnswer>,
  deadlineMs: number,
): RouteAnswer | Promise<RouteAnswer> {
  if (!(answer instanceof Promise)) return answer;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StrataError('internal', DEADLINE_PASSED)), deadlineMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function isNotShownYet(error: unknown): error is StrataError {
  return isStrataError(error) && error.message === NOT_SHOWN_YET;
}

/** A height that the chain has and the store has not passes by itself; nobody has heard of a greater one. */
function beyondState(error: StrataError, { chainHeight }: Snapshot): StrataError {
  if (error.height === undefined || error.height <= chainHeight) return error;
  return new StrataError('bad_request', 'cursor is of a height that this index does not know');
}

async function settle<T>(
  work: () => T | Promise<T>,
): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}
