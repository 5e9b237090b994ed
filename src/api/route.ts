import type { Clock } from 'strata-kit/clock';
import type { MarketParameters } from '../core/parameter-facts.ts';
import type { BadBlockList } from '../store/bad-blocks.ts';
import type { RowBinary } from '../store/store.ts';
import type { DerivedTypes } from './applied.ts';
import type { CandidateFinder } from './candidates.ts';
import type { CursorCodec } from './cursor.ts';
import type { Lookups } from './lookups.ts';
import type { MethodCounts } from './totals.ts';

/** What a body is made of: texts and stored bytes, concatenated once at the end. */
export type BodyPart = string | Uint8Array;

/** What the index holds, taken once at the start of a request; everything in the answer is of this instant. */
export interface Snapshot {
  /** The newest checkpoint; 0 while nothing is indexed. */
  readonly indexedHeight: number;
  /** The lowest height that is indexed; 1 while nothing is. */
  readonly firstHeight: number;
  /** Block time of indexedHeight; 0 (1970) while nothing is indexed. */
  readonly latestBlockTimeNs: bigint;
  /** The chain's own head as the indexing process last saw it, never below indexedHeight. */
  readonly chainHeight: number;
  /** By module, the generation of its rows that answers see (src/api/as-of.ts); empty where modules are off. */
  readonly generations: ReadonlyMap<string, number>;
  /** Grows with every reconciliation that was stored, so that answers about them are not kept beyond it. */
  readonly reconciliations: number;
  /** Event values that are not the derived ones, checks that do not agree, and differences of whole modules. */
  readonly driftTotal: number;
  /** Blocks that are kept without results that could be used. */
  readonly badBlocks: BadBlockList;
}

export interface ChainIdentity {
  readonly chainId: string;
  /** Bech32 prefix of accounts. */
  readonly hrp: string;
  /** First name of the modules' packages (`aeva`), from which ids and addresses follow. */
  readonly namespace: string;
  /** Canonical bech32; sorted. */
  readonly moduleAccounts: readonly string[];
  /** What the chain's market and its testnet are configured with, as the store keeps it. */
  readonly market: MarketParameters;
}

/** Percent-decoded. `query` holds only the names that the route declares, the first of each. */
export interface RouteRequest {
  readonly params: ReadonlyMap<string, string>;
  readonly query: ReadonlyMap<string, string>;
}

/** The part of a request's context that reading rows takes; rows as of its snapshot. */
export type Reading = Pick<RouteContext, 'snapshot' | 'query'>;

/** Reads what belongs to several keys, with as few queries as one key takes. Keys without anything are left out. */
export type ReadMany<V> = (reading: Reading, keys: readonly string[]) => Promise<ReadonlyMap<string, V>>;

export interface RouteContext {
  readonly snapshot: Snapshot;
  readonly chain: ChainIdentity;
  readonly clock: Clock;
  readonly cursors: CursorCodec;
  /** The types of events that modules derive into state (Event.applied); none where modules are off. */
  readonly derivedTypes: DerivedTypes;
  readonly openapi: Uint8Array;
  /** What modules may find for /v1/lookup/{q}. */
  readonly candidates: readonly CandidateFinder[];
  /** Runs a SELECT on a free reader session. Errors: store_query_failed, store_unreachable, internal (overloaded). */
  query(sql: string): Promise<RowBinary>;
  /** When the request must have ended, in ms of `clock`; what look-ups are given. */
  readonly endMs: number;
  /** Look-ups by key, which share queries with those of other requests. */
  readonly lookups: Lookups;
  /**
   * What belongs to one key: read together with the keys that other requests ask of the same function at the same time.
   * `read` is a function of its module, not one made for the request. Errors: those of `query`.
   */
  gather<V>(read: ReadMany<V>, key: string): Promise<V | undefined>;
  /** What a route keeps between the requests of one API, made by `create` at its first use; one for each function. */
  kept<T>(create: () => T): T;
  /** Tx counts per first-message type over the whole chain, up to the snapshot. */
  methodCounts(): Promise<MethodCounts>;
  /** As methodCounts, of the txs that an account (canonical bech32) took part in. */
  accountMethodCounts(account: string): Promise<MethodCounts>;
  /** Tx counts per UTC day, `YYYY-MM-DD`, up to the snapshot. */
  dayCounts(): Promise<ReadonlyMap<string, number>>;
}

export interface RouteAnswer {
  readonly parts: readonly BodyPart[];
  /** Defaults to JSON. */
  readonly contentType?: string;
  /** True when no later block can change this answer, so that it may be kept beyond the snapshot. */
  readonly settled?: boolean;
}

export interface Route {
  /** Template as in openapi.yaml, e.g. `/v1/txs/{hash}`. */
  readonly path: string;
  /** Query parameters that the route reads; all others are ignored. */
  readonly query: readonly string[];
  /**
   * `head`: a function of the snapshot and the request, kept until the next checkpoint. `process`: the same as long as
   * the process runs. `none`: never kept.
   */
  readonly cache: 'head' | 'process' | 'none';
  /** Errors: bad_request, not_found; anything else is answered as internal. */
  handle(request: RouteRequest, context: RouteContext): RouteAnswer | Promise<RouteAnswer>;
}

/** A path parameter that the route's own template names. */
export function pathParam(request: RouteRequest, name: string): string {
  return request.params.get(name) ?? '';
}
