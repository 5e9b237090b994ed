import { systemClock } from '../../src/core/clock.ts';
import { chainSection } from '../../src/devnet/chain-section.ts';
import { openRecordedApi, type RecordedApi } from '../e2e/support/recorded-api.ts';
import { type DevnetNode, type DevnetNodeOptions, startDevnetNode } from './devnet-node.ts';
import type { IndexRun } from './indexing.ts';

/** The reference chain with its workload, indexed into a store, behind the API: what every module is tested on. */
export interface IndexedDevnet extends DevnetNode {
  readonly api: RecordedApi;
  /** Makes more blocks, and indexes them. */
  goOn(blocks: number): Promise<void>;
}

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
    async goOn(more) {
      await node.goOn(more);
      await api.indexTo(node.height, undefined, source);
    },
    async close() {
      await api.close();
      await node.close();
    },
  };
}
