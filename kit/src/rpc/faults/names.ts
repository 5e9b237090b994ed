import { StrataError } from '../../errors.ts';
import { parseFaults as parse } from './grammar.ts';

/** What a node can do wrong in each answer, by name, with its probability unless one is given. */
export const FAULTS = {
  /** Answers late, by up to 300 ms. */
  delay: 0.2,
  /** Closes the connection instead of answering. */
  drop: 0.2,
  /** Answers a part of the body: with its own length, or with the connection closed in the midst. */
  cut: 0.2,
  /** Gives the answer of an earlier request. */
  repeat: 0.2,
  /** Answers HTTP 429, half the time with Retry-After. */
  throttle: 0.2,
  /** Answers HTTP 500. */
  error: 0.2,
  /** Gives the block or the results of another height, under the id that was asked for. */
  'wrong-height': 0.2,
  /** Gives the results of another height, named as those of this one. */
  'swap-results': 0.2,
  /** Changes a field of a block or of a tx's result. */
  tamper: 0.2,
  /** Gives one empty result whatever the txs, always at the same heights: each with this probability. */
  'results-missing': 0.2,
  /** Gives results that break off, always at the same heights: each with this probability. */
  'results-broken': 0.2,
  /** Speaks as if its head were up to 20 blocks lower. */
  lag: 0.2,
  /** Prints its JSON with blanks, other key orders and other escapes. */
  layout: 0.2,
  /** Has no block above one in the middle of the chain. */
  halt: 1,
  /** Is of another chain from its third status on, and from a height in the middle on. */
  'chain-id': 1,
  /** Goes on with other blocks from a height in the middle of the chain on, with hashes that fit. */
  fork: 1,

  // what gateways before a node do

  /** Refuses batches with this status and a page. */
  'batch-400': 1,
  'batch-403': 1,
  'batch-413': 1,
  'batch-500': 1,
  /** Answers a batch with one error object. */
  'batch-error': 1,
  /** Answers the first call of a batch alone, as an object. */
  'batch-first': 1,
  /** The same, as a list. */
  'batch-short': 1,
  /** Takes batches of 2 calls, and says so in words of its own. */
  'batch-two': 1,
  /** Refuses POST. */
  'get-only': 1,
  /** Answers HTTP 429 without Retry-After. */
  'too-many': 0.2,
  /** Answers HTTP 429 with Retry-After: 1. */
  'retry-after': 0.2,
  /** Answers HTTP 502 with a page. */
  'bad-gateway': 0.2,
  /** Answers HTTP 503 with a page. */
  unavailable: 0.2,
  /** Answers below /rpc/<GATEWAY_KEY> alone. */
  'path-key': 1,
  /** Answers where the query has key=<GATEWAY_KEY>. */
  'query-key': 1,
  /** Answers where the field x-api-key is <GATEWAY_KEY>. */
  'header-key': 1,
  /** Packs what it answers where the client takes that. */
  gzip: 1,
  deflate: 1,
  br: 1,
  /** Has no abci_query. */
  'no-queries': 1,
  /** Refuses abci_query with this status. */
  'queries-403': 1,
  'queries-404': 1,
  /** Is so many milliseconds away. */
  'far-50': 1,
  'far-150': 1,
  'far-400': 1,
  /** Is of another chain from the first status on. */
  foreign: 1,
  /** Is a web server: a page for every request. */
  'web-server': 1,
  /** Is an Ethereum node: it has no method of CometBFT. */
  ethereum: 1,
} as const;

/** What opens the gateways that want a key. */
export const GATEWAY_KEY = 'replay-key-of-a-gateway';

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];

/** How likely each fault is in a request, or at a height; those that are not named do not happen. */
export type FaultChances = ReadonlyMap<FaultName, number>;

/** Reads `name` and `name:probability`. Errors: config_invalid. */
export function parseFaults(texts: readonly string[]): FaultChances {
  try {
    return new Map(parse(texts, FAULTS).map(({ name, chance = 0 }) => [name, chance]));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new StrataError('config_invalid', cause.message, { cause });
  }
}
