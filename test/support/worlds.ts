import { chainSection } from '../../src/devnet/chain-section.ts';
import { type RecordedApi, serveStores } from '../e2e/support/recorded-api.ts';
import type { IndexedDevnet } from './devnet-index.ts';
import { type DevnetNode, startDevnetNode } from './devnet-node.ts';
import { type IndexRun, indexInto } from './indexing.ts';
import { holdSharedStore } from './shared-store.ts';
import { openTestStores } from './stores.ts';
import { copyTemplate } from './templates.ts';
import { temporaryFolder } from './temporary-folder.ts';

/**
 * Chains that many test files look at, indexed once and served to all files of a process. They stay open from file to
 * file; another store that is opened closes them, and the next file that asks opens them again. A file closes nothing.
 * Files may let the reference chain grow (goOn): none may count on its height, only on what its workload has done by
 * REFERENCE_BLOCKS.
 */

/** By then every kind of event of every module has occurred. */
export const REFERENCE_BLOCKS = 200;
/** All of the recording. */
const RECORDED_BLOCKS = 501;

interface World {
  readonly folder: string;
  api: RecordedApi | undefined;
}

let recording: World | undefined;
let reference:
  | (World & { readonly node: DevnetNode; readonly run: Pick<IndexRun, 'parameters'> })
  | undefined;

/** The recorded chain, whole, as openRecordedApi(501) gives it. */
export async function recordedWorld(): Promise<RecordedApi> {
  recording ??= await newWorld((folder) => copyRecordedStore(folder));
  return open(recording, {});
}

/** The reference chain of seed 1 with its workload, as openDevnetIndex gives it. */
export async function referenceWorld(): Promise<IndexedDevnet> {
  if (reference === undefined) {
    const node = await startDevnetNode({ blocks: REFERENCE_BLOCKS });
    const run = { parameters: chainSection(node.devnet.app.parameters) };
    const world = await newWorld((folder) =>
      copyTemplate('reference', folder, (made) =>
        indexFolder(made, { ...run, source: node.source, toHeight: REFERENCE_BLOCKS }),
      ),
    );
    reference = { ...world, node, run };
  }
  const { node, run } = reference;
  const world = reference;
  const api = await open(world, run);
  return {
    devnet: node.devnet,
    told: node.told,
    url: node.url,
    source: node.source,
    query: node.query,
    api,
    get height() {
      return node.height;
    },
    async goOn(blocks) {
      await node.goOn(blocks);
      await api.indexTo(node.height, undefined, node.source);
    },
    close: async () => undefined,
  };
}

/** A store with the whole recording, in a folder that does not exist yet: a copy, to be opened and changed. */
export async function copyRecordedStore(folder: string): Promise<void> {
  await copyTemplate('recording', folder, (made) => indexFolder(made, { toHeight: RECORDED_BLOCKS }));
}

async function indexFolder(folder: string, run: IndexRun): Promise<void> {
  const stores = await openTestStores(folder);
  try {
    await indexInto(stores, run);
  } finally {
    await stores.close();
  }
}

async function newWorld(fill: (folder: string) => Promise<void>): Promise<World> {
  const { path } = await temporaryFolder();
  const folder = `${path}/store`;
  await fill(folder);
  return { folder, api: undefined };
}

async function open(world: World, run: Pick<IndexRun, 'parameters'>): Promise<RecordedApi> {
  if (world.api !== undefined) return world.api;
  const api = await serveStores(await openTestStores(world.folder), undefined, run);
  world.api = { ...api, close: async () => undefined };
  holdSharedStore(async () => {
    world.api = undefined;
    await api.close();
  });
  return world.api;
}
