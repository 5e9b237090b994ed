import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toChecksumAddress } from 'strata-kit/address';
import { hexToBytes } from 'strata-kit/bytes';
import type { RouteContext } from '../../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../../src/api/rows.ts';
import { plainParameters } from '../../../src/derive/derivation.ts';
import { createDeriver, type Deriver } from '../../../src/derive/deriver.ts';
import { type BlockFacts, type LogFact, NO_MORE_FACTS } from '../../../src/derive/facts.ts';
import { dexDerivation } from '../../../src/modules/dex/derivation.ts';
import { MINT, PAIR_CREATED, SWAP, SYNC } from '../../../src/modules/dex/logs.ts';
import { meanPriceRoute } from '../../../src/modules/dex/routes/mean-price.ts';
import { pricesRoute } from '../../../src/modules/dex/routes/prices.ts';
import type { StoreFactory } from '../../../src/store/store.ts';

/** A pool whose logs a test writes down, in a store of its own generation. */

export const STABLE = 'a0'.repeat(20);
/** Below the stable token's, so that it is token 0; and above it. */
export const LOW = '11'.repeat(20);
export const HIGH = 'ee'.repeat(20);
export const FACTORY = 'fa'.repeat(20);
export const PAIR = 'bb'.repeat(20);

/** Of the tokens themselves, not of token 0 and 1. */
export type HandLog =
  | { readonly sync: readonly [base: bigint, quote: bigint]; readonly at?: string }
  | {
      readonly swap: readonly [baseIn: bigint, quoteIn: bigint, baseOut: bigint, quoteOut: bigint];
      readonly at?: string;
    }
  | { readonly create: readonly [token: string, other: string, pair: string]; readonly at?: string };

export interface HandBlock {
  readonly timeNs: bigint;
  readonly logs: readonly HandLog[];
}

export interface HandPool {
  readonly base: string;
  /** Heights are 1, 2, 3, …; a block without logs stands for itself. */
  readonly blocks: readonly HandBlock[];
  /** Heights at which an insert ends; by default one at the end. */
  readonly inserts?: readonly number[];
  readonly market?: Partial<RouteContext['chain']['market']['evm']>;
}

export interface Prices {
  readonly price: string;
  readonly price_24h_ago: string;
  readonly change_24h_bps: string;
  readonly volume_24h: string;
  readonly swaps_24h: number;
  readonly reserves: { readonly base: string; readonly quote: string };
  readonly points: readonly { readonly time: string; readonly price: string }[];
  readonly [field: string]: unknown;
}

export interface MeanPrice {
  readonly price: string;
  readonly mean_price: string;
  readonly [field: string]: unknown;
}

const text = (value: bigint): string => value.toString(16).padStart(64, '0');
const topic = (address: string): string => address.padStart(64, '0');
export const eip55 = (hex: string): string => toChecksumAddress(hexToBytes(hex) ?? new Uint8Array(20));

export function handFacts({ base, blocks }: HandPool): BlockFacts[] {
  const isBase0 = base < STABLE;
  const ordered = <T>(ofBase: T, ofQuote: T): [T, T] => (isBase0 ? [ofBase, ofQuote] : [ofQuote, ofBase]);
  const pairCreated: HandLog = { create: [...ordered(base, STABLE), PAIR] };
  return blocks.map(({ timeNs, logs }, block) => ({
    height: block + 1,
    timeNs,
    events: [],
    ...NO_MORE_FACTS,
    txCount: 1,
    logs: (block === 0 ? [pairCreated, ...logs] : logs).map((log, logIndex): LogFact => {
      const made = (address: string, topics: string[], words: bigint[]): LogFact => ({
        txIndex: Math.floor(logIndex / 3),
        msgIndex: 0,
        logIndex,
        address: log.at ?? address,
        topics,
        data: hexToBytes(words.map(text).join('')) ?? new Uint8Array(),
      });
      if ('create' in log) {
        const [token, other, pair] = log.create;
        return made(FACTORY, [PAIR_CREATED, topic(token), topic(other)], [BigInt(`0x${pair}`), 1n]);
      }
      if ('sync' in log) return made(PAIR, [SYNC], ordered(...log.sync));
      const [baseIn, quoteIn, baseOut, quoteOut] = log.swap;
      const words = [...ordered(baseIn, quoteIn), ...ordered(baseOut, quoteOut)];
      return made(PAIR, [SWAP, topic(LOW), topic(HIGH)], words);
    }),
  }));
}

export const MINT_TOPIC = MINT;

export function dexDeriver(generation: number): Deriver {
  return createDeriver({
    derivations: [dexDerivation],
    parameters: {
      ...plainParameters('aeva', 'aeva', 'uusd'),
      evm: { factory: FACTORY, lendingMarket: undefined },
    },
    generations: new Map([['dex', generation]]),
  });
}

/** Writes pools' rows as the writer does, and asks the route about them as of any height. */
export function openPools(stores: StoreFactory, folder: string) {
  let generations = 0;
  let files = 0;
  return async (pool: HandPool) => {
    const store = await stores.open(`pool ${++generations}`);
    const generation = generations;
    const deriver = dexDeriver(generation);
    const facts = handFacts(pool);
    await mkdir(folder, { recursive: true });
    const columnsOf = new Map<string, readonly string[]>(
      dexDerivation.tables.map(({ name, columns }) => [
        name,
        ['generation', ...columns.map(([column]) => column)],
      ]),
    );
    const ends = [...(pool.inserts ?? []), facts.length];
    for (const [i, end] of ends.entries()) {
      for (const { table, native } of deriver.derive(facts.slice(i === 0 ? 0 : ends[i - 1], end))) {
        const columns = columnsOf.get(table);
        if (columns === undefined) continue;
        const path = join(folder, `${++files}.native`);
        await writeFile(path, native);
        await store.insertNativeFiles(table, columns, [path]);
      }
    }
    const { base, market } = pool;
    const contextAt = (height: number) =>
      ({
        snapshot: {
          ...EMPTY_SNAPSHOT,
          indexedHeight: height,
          latestBlockTimeNs: facts[height - 1]?.timeNs ?? 0n,
          generations: new Map([['dex', generation]]),
        },
        chain: {
          market: {
            stableDenom: 'uusd',
            evm: { stable: eip55(STABLE), wrappedNative: eip55(base), ...market },
          },
        },
        query: (sql: string) => store.query(sql, { timeoutSeconds: 60 }),
      }) as unknown as RouteContext;
    const params = new Map([['asset', 'native']]);
    /** The route's answer as of a height, the last by default. */
    const ask = async (range?: string, height = facts.length): Promise<Prices> => {
      const query = new Map(range === undefined ? [] : [['range', range]]);
      const { parts } = await pricesRoute.handle({ params, query }, contextAt(height));
      return JSON.parse(parts.join('')) as Prices;
    };
    /** What /v1/x/prices/{asset}/mean answers as of a height, the last by default. */
    const askMean = async (height = facts.length): Promise<MeanPrice> => {
      const { parts } = await meanPriceRoute.handle({ params, query: new Map() }, contextAt(height));
      return JSON.parse(parts.join('')) as MeanPrice;
    };
    return { ask, askMean, store, generation, close: () => store.close() };
  };
}
