import { chainSection } from 'strata-devnet/chain-section';
import { type RecordedApi, serveStores } from '../e2e/support/recorded-api.ts';
import { type IndexedDevnet, playOn } from './devnet-index.ts';
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

/** By then every kind of event of every module has occurred; there are active encumbrances and pending settlements. */
export const REFERENCE_BLOCKS = 178;
/** All of the recording. */
const RECORDED_BLOCKS = 501;

interface World {
  readonly folder: string;
  api: RecordedApi | undefined;
}

interface ReferenceWorld extends World {
  /** Of its store; the node may be higher. */
  height: number;
}

interface ReferenceNode {
  readonly node: DevnetNode;
  readonly run: Pick<IndexRun, 'parameters'>;
}

let recording: World | undefined;
let recordingWithContracts: World | undefined;
let referenceNode: ReferenceNode | undefined;
let reference: ReferenceWorld | undefined;

/** The recorded chain, whole, as openRecordedApi(501) gives it. */
export async function recordedWorld(): Promise<RecordedApi> {
  recording ??= await newWorld((folder) => copyRecordedStore(folder));
  return open(recording, {});
}

/** What the recording's workload deployed, and one of the accounts that sent the most. */
export const RECORDED_CONTRACTS = {
  evm: {
    factory: '0x1c7d6078b8bf6297eaa01014fb6c305f08982d3a',
    stable: '0xe55bFAEac6310981f7F5BBEBE493bE0d9850091c',
    wrappedNative: '0x5E6B560b6f52F8D6242761d598d7D883BA17db7f',
    lendingMarket: undefined,
  },
  faucet: 'cosmos1ndaahdqd0xkak0t8r9wfl9nf7gndy2xsp2h5x2',
};

/** The recorded chain, whole, indexed with RECORDED_CONTRACTS. */
export async function recordedWorldWithContracts(): Promise<RecordedApi> {
  recordingWithContracts ??= await newWorld((folder) =>
    copyTemplate('recording-contracts', folder, (made) =>
      indexFolder(made, { toHeight: RECORDED_BLOCKS, parameters: RECORDED_CONTRACTS }),
    ),
  );
  return open(recordingWithContracts, { parameters: RECORDED_CONTRACTS });
}

/** The reference chain of seed 1 with its workload, as openDevnetIndex gives it. */
export async function referenceWorld(): Promise<IndexedDevnet> {
  reference ??= await newReferenceWorld(REFERENCE_BLOCKS);
  const { node, run } = await openReferenceNode();
  return devnetOf(reference, node, await open(reference, run), async () => undefined);
}

/** The first blocks of the reference chain in a store that the caller may change, and must close. */
export async function openReferenceCopy(blocks: number): Promise<IndexedDevnet> {
  const world = await newReferenceWorld(blocks);
  const { node, run } = await openReferenceNode();
  const api = await serveStores(await openTestStores(world.folder), undefined, run);
  return devnetOf(world, node, api, api.close);
}

function devnetOf(
  world: ReferenceWorld,
  node: DevnetNode,
  api: RecordedApi,
  close: () => Promise<void>,
): IndexedDevnet {
  const { devnet, told, url, source } = node;
  return {
    devnet,
    told,
    url,
    source,
    query: (module, method, request, height = world.height) => node.query(module, method, request, height),
    api,
    get height() {
      return world.height;
    },
    async goOn(blocks, isReached) {
      const before = world.height;
      await playOn(blocks, isReached, async () => {
        world.height++;
        if (node.height < world.height) await node.goOn(1);
      });
      if (world.height > before) await api.indexTo(world.height, undefined, node.source);
    },
    close,
  };
}

async function openReferenceNode(): Promise<ReferenceNode> {
  if (referenceNode === undefined) {
    const node = await startDevnetNode({ blocks: REFERENCE_BLOCKS });
    referenceNode = { node, run: { parameters: chainSection(node.devnet.app.parameters) } };
  }
  return referenceNode;
}

async function newReferenceWorld(blocks: number): Promise<ReferenceWorld> {
  return { ...(await newWorld((folder) => copyReferenceStore(folder, blocks))), height: blocks };
}

/** A store with the first blocks of the reference chain, in a folder that does not exist yet. */
export async function copyReferenceStore(folder: string, blocks = REFERENCE_BLOCKS): Promise<void> {
  await copyTemplate(`reference-${blocks}`, folder, async (made) => {
    const { node, run } = await openReferenceNode();
    await indexFolder(made, { ...run, source: node.source, toHeight: blocks });
  });
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
