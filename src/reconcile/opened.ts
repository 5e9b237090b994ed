import { StrataError } from 'strata-kit/errors';
import type { BlockSource } from '../chain/source.ts';
import type { StateAt } from '../modules/export.ts';
import { readDescriptorSets, readFacts, readGivenSets } from '../store/facts.ts';
import type { Store } from '../store/store.ts';
import { type ChainQueries, createChainQueries } from './chain-queries.ts';
import { openStateAt, type ReadLimits } from './state-at.ts';

/** A query that the chain did not serve, and how often it was asked in vain. */
export interface Unserved {
  readonly path: string;
  readonly reason: string;
  readonly count: number;
}

/** Both sides as of one height. */
export interface OpenedComparison {
  readonly state: StateAt;
  /** Block time of the height. */
  readonly timeNs: bigint;
  readonly chain: ChainQueries;
  readonly namespace: string;
  readonly signal: AbortSignal | undefined;
  /** Adds a query to those that were not served. */
  noteUnserved(path: string, reason: string): void;
  unserved(): readonly Unserved[];
}

export interface ComparisonSides {
  readonly source: BlockSource;
  /** First segment of the modules' packages, for a store that does not tell. */
  readonly namespace: string;
  /** One that the store holds; the newest that both have by default. */
  readonly height?: number | undefined;
  readonly limits?: ReadLimits | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Undefined where the store derives no modules. Errors: those of the source when no node can be asked,
 * chain_id_mismatch, store_empty, config_invalid for a height that the store does not hold, those of the store.
 */
export async function openComparison(
  store: Store,
  { source, namespace: configured, height, limits, signal }: ComparisonSides,
): Promise<OpenedComparison | undefined> {
  let head = await source.head(signal);
  const facts = await readFacts(store);
  const chainId = facts.get('chain_id');
  if (chainId !== undefined && chainId !== head.chainId && source.expectChain?.(chainId) === true) {
    head = await source.head(signal);
  }
  if (chainId !== undefined && chainId !== head.chainId) {
    throw new StrataError(
      'chain_id_mismatch',
      `the node is of chain ${head.chainId}, and the store holds ${chainId}`,
    );
  }
  const opened = await openStateAt(store, height, head.latestHeight, { ...limits, signal });
  if (opened === undefined) return undefined;
  // the one that its rows were derived with
  const namespace = facts.get('namespace') ?? configured;
  const unserved = new Map<string, Unserved>();
  const noteUnserved = (path: string, reason: string): void => {
    unserved.set(path, { path, reason, count: (unserved.get(path)?.count ?? 0) + 1 });
  };
  const chain = createChainQueries({
    source,
    // the newest of the chain's own is looked at first
    descriptorSets: [
      ...(await readGivenSets(store)).reverse(),
      ...(await readDescriptorSets(store)).map(({ bytes }) => bytes),
    ],
    namespace,
    height: opened.state.height,
    signal,
    onUnserved: noteUnserved,
  });
  return { ...opened, chain, namespace, signal, noteUnserved, unserved: () => [...unserved.values()] };
}
