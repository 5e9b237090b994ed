import { bytesToLatin1 } from 'strata-kit/bytes';
import { isObject, type JsonMap, objectOf, textOf } from 'strata-kit/json';
import { createPrefixTally, type PrefixTally } from './prefix-tally.ts';
import { readBlocks } from './read-blocks.ts';
import type { BlockSource } from './source.ts';

/**
 * What a chain's own blocks show where the chain does not describe itself: the prefix of the addresses in its events, and
 * the denom in which Ethereum txs paid their fees. Bounded: a few ranges of blocks, and no further than needed.
 */

const RANGE_BLOCKS = 20;
const MAX_BLOCKS = 200;
const MAX_BYTES = 64_000_000;
/** So many addresses decide; fewer do when there are no more. */
const ENOUGH_ADDRESSES = 100;

export interface Heights {
  readonly fromHeight: number;
  /** No block above it is asked for. */
  readonly latestHeight: number;
}

export interface Seen<T> extends Heights {
  readonly found: T;
}

/** Errors: those of readBlocks. */
export async function addressesInBlocks(
  source: BlockSource,
  heights: Heights,
  signal?: AbortSignal,
): Promise<Seen<PrefixTally>> {
  const tally = createPrefixTally();
  const latestHeight = await readResults(source, heights, signal, (results) => {
    for (const value of attributeValues(results)) tally.add(value);
    return tally.count >= ENOUGH_ADDRESSES && tally.winner() !== undefined;
  });
  return { fromHeight: heights.fromHeight, latestHeight, found: tally };
}

/**
 * How many Ethereum txs paid a fee in which denom. A fee counts where the bank moved the same amount of the same denom:
 * then the denom is one of the EVM's 18-decimals amounts, since those are what the fee is calculated in.
 * Errors: those of readBlocks.
 */
export async function feesInBlocks(
  source: BlockSource,
  heights: Heights,
  signal?: AbortSignal,
): Promise<Seen<ReadonlyMap<string, number>>> {
  const denoms = new Map<string, number>();
  const latestHeight = await readResults(source, heights, signal, (results) => {
    for (const denom of ethereumFeeDenoms(results)) denoms.set(denom, (denoms.get(denom) ?? 0) + 1);
    return denoms.size > 0;
  });
  return { fromHeight: heights.fromHeight, latestHeight, found: denoms };
}

/** Until `read`, which gets the text of each block_results, has seen enough of a range. Returns the last height read. */
async function readResults(
  source: BlockSource,
  { fromHeight, latestHeight }: Heights,
  signal: AbortSignal | undefined,
  read: (results: string) => boolean,
): Promise<number> {
  const last = Math.min(latestHeight, fromHeight + MAX_BLOCKS - 1);
  let bytes = 0;
  for (let from = fromHeight; from <= last && bytes < MAX_BYTES; from += RANGE_BLOCKS) {
    const to = Math.min(last, from + RANGE_BLOCKS - 1);
    let isEnough = false;
    for (const { results } of await readBlocks(source, from, to, signal)) {
      bytes += results.length;
      isEnough = read(bytesToLatin1(results)) || isEnough;
    }
    if (isEnough) return to;
  }
  return last;
}

const VALUE = /"value":\s*"((?:[^"\\]|\\.)*)"/g;
/** Of an address in base64, as nodes before CometBFT 0.38 print values. */
const BASE64 = /^[A-Za-z0-9+/]{40,200}={0,2}$/;

function* attributeValues(results: string): Generator<string> {
  for (const match of results.matchAll(VALUE)) {
    // the value of a typed event is JSON: its own quotes are escaped
    const value = (match[1] ?? '').replace(/^\\"|\\"$/g, '');
    yield value;
    if (BASE64.test(value)) yield Buffer.from(value, 'base64').toString('latin1');
  }
}

const COIN = /^[1-9]\d*([a-zA-Z][a-zA-Z0-9/:._-]{2,127})$/;

function* ethereumFeeDenoms(results: string): Generator<string> {
  for (const result of txResults(results)) {
    const events = arrayOf(result.events).map(readEvent);
    if (!events.some(({ type }) => type === 'ethereum_tx')) continue;
    const valuesOf = (wanted: string, key: string) =>
      events.filter(({ type }) => type === wanted).flatMap(({ values }) => values(key));
    const spent = new Set(valuesOf('coin_spent', 'amount'));
    for (const fee of valuesOf('tx', 'fee')) {
      const denom = COIN.exec(fee)?.[1];
      if (denom !== undefined && spent.has(fee)) yield denom;
    }
  }
}

/** None of results that are no JSON: a node's broken answer is the decoder's to refuse. */
function txResults(results: string): readonly JsonMap[] {
  try {
    return arrayOf(objectOf(JSON.parse(results)).txs_results);
  } catch {
    return [];
  }
}

interface PrintedEvent {
  readonly type: string;
  values(key: string): readonly string[];
}

function readEvent(event: JsonMap): PrintedEvent {
  const attributes = arrayOf(event.attributes);
  return {
    type: textOf(event.type),
    values: (key) => {
      const packed = Buffer.from(key).toString('base64');
      return attributes.flatMap((attribute) => {
        if (attribute.key === key) return [textOf(attribute.value)];
        return attribute.key === packed
          ? [Buffer.from(textOf(attribute.value), 'base64').toString('latin1')]
          : [];
      });
    },
  };
}

function arrayOf(value: unknown): readonly JsonMap[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
