import { chainSection } from 'strata-devnet/chain-section';
import { systemClock } from 'strata-kit/clock';
import { openRecordedApi, type RecordedApi } from '../e2e/support/recorded-api.ts';
import { type DevnetNode, type DevnetNodeOptions, startDevnetNode } from './devnet-node.ts';
import type { IndexRun } from './indexing.ts';

/** The reference chain with its workload, indexed into a store, behind the API: what every module is tested on. */
export interface IndexedDevnet extends DevnetNode {
  readonly api: RecordedApi;
  /**
   * Makes so many blocks, and more of them until `isReached`, which may ask the chain. Indexes them in one run: each run
   * costs a second of CPU, however few its blocks.
   */
  goOn(blocks: number, isReached?: () => boolean | Promise<boolean>): Promise<void>;
}

/** The reference chain's workload does anything that it does within so many blocks. */
const MOST_BLOCKS = 100;

export interface DevnetIndexOptions extends DevnetNodeOptions {
  /** What the indexer is configured with; the chain's own contracts and services by default. */
  readonly parameters?: IndexRun['parameters'];
}

export async function openDevnetIndex(options: DevnetIndexOptions): Promise<IndexedDevnet> {
  const node = await startDevnetNode(options);
  const { devnet, told, url, source, query } = node;
  const parameters = options.parameters ?? chainSection(devnet.app.parameters);
  const api = await openRecordedApi(options.blocks, systemClock, source, undefined, parameters);
  return {
    devnet,
    told,
    url,
    source,
    query,
    api,
    get height() {
      return node.height;
    },
    async goOn(more, isReached) {
      await playOn(more, isReached, () => node.goOn(1));
      await api.indexTo(node.height, undefined, source);
    },
    async close() {
      await api.close();
      await node.close();
    },
  };
}

/** Plays so many blocks, and more of them until `isReached`. Errors: it is not reached within MOST_BLOCKS more. */
export async function playOn(
  blocks: number,
  isReached: (() => boolean | Promise<boolean>) | undefined,
  playBlock: () => Promise<void>,
): Promise<void> {
  for (let i = 0; i < blocks; i++) await playBlock();
  for (let more = 0; isReached !== undefined && !(await isReached()); more++) {
    if (more === MOST_BLOCKS) throw new Error(`${isReached} is not reached`);
    await playBlock();
  }
}
