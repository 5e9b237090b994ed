import { withFaults } from 'strata-devnet/faults/faults';
import { parseFaults } from 'strata-devnet/faults/names';
import { startRpc } from 'strata-devnet/rpc/server';
import { systemClock } from 'strata-kit/clock';
import type { Snapshot } from '../../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../../src/api/rows.ts';
import { openChainState } from '../../../src/api/state.ts';
import { createRpcSource } from '../../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../../src/chain/source.ts';
import { RowReader } from '../../../src/core/rowbinary.ts';
import type { latestChecks } from '../../../src/modules/reconciliation/checks-read.ts';
import { type Reconciliation, reconcile } from '../../../src/reconcile/reconcile.ts';
import {
  createExportTurns,
  type ExportOptions,
  type ExportTurns,
  type ReconciledExport,
  reconcileExport,
} from '../../../src/reconcile/reconcile-export.ts';
import type { IndexedDevnet } from '../../support/devnet-index.ts';
import { openReferenceCopy } from '../../support/worlds.ts';

/** Comparisons of an indexed chain with its node, which may lie or not serve. */

let index: IndexedDevnet;

/** The chain up to this height, for one test file of a process. It closes the index. */
export async function openIndex(blocks: number): Promise<IndexedDevnet> {
  index = await openReferenceCopy(blocks);
  return index;
}

interface Wish {
  readonly height?: number;
  readonly deep?: boolean;
  readonly assetId?: string;
  readonly source?: BlockSource;
  readonly nowMs?: number;
}

export async function run({ nowMs = 1_000, ...wish }: Wish = {}): Promise<Reconciliation> {
  const { source, api } = index;
  const found = await reconcile({
    source,
    ...wish,
    stores: api.stores,
    namespace: 'aeva',
    prune: true,
    nowMs: () => nowMs,
  });
  if (found === undefined) throw new Error('the store derives no modules');
  return found;
}

/** The same chain with faults, as `strata devnet --fault` has them. */
export async function withLyingSource<T>(
  faults: string,
  use: (source: BlockSource) => Promise<T>,
): Promise<T> {
  const { chain, signer, app } = index.devnet;
  const lying = withFaults(chain, parseFaults([faults]), { signer, codec: app.codec });
  const rpc = await startRpc({ chain: lying, port: 0 });
  const source = createRpcSource({ urls: [rpc.url] });
  try {
    return await use(source);
  } finally {
    await source.close();
    await rpc.close();
  }
}

export function runLying(faults: string, wish: Wish = {}): Promise<Reconciliation> {
  return withLyingSource(faults, (source) => run({ ...wish, source }));
}

function exportOptions(source: BlockSource = index.source): ExportOptions {
  return { source, stores: index.api.stores, namespace: 'aeva', nowMs: () => 1_000 };
}

/** Whole modules in their turns. */
export function exportTurns(): ExportTurns {
  return createExportTurns(exportOptions());
}

/** A whole module, against the chain or another source. */
export async function runExport(module: string, source?: BlockSource): Promise<ReconciledExport> {
  const found = await reconcileExport(exportOptions(source), () => module);
  if (found === undefined) throw new Error(`${module} is not compared`);
  return found;
}

/** A run against a node that does not serve some paths. */
export function runWithout(refuses: (path: string) => boolean, log: string): Promise<Reconciliation> {
  const { source } = index;
  return run({
    source: {
      ...source,
      abciQuery: async (path, data, height, signal) =>
        refuses(path)
          ? { code: 6, log, height: 0, value: new Uint8Array() }
          : source.abciQuery(path, data, height, signal),
    },
  });
}

export async function stored(sql: string): Promise<number> {
  const store = await index.api.stores.open('test');
  try {
    return new RowReader(await store.query(sql)).u64();
  } finally {
    await store.close();
  }
}

/** As an answer of the API reads, without one that is kept from before. */
export async function read<T>(
  reader: (context: Parameters<typeof latestChecks>[0]) => Promise<T>,
): Promise<T> {
  const store = await index.api.stores.open('test');
  try {
    return await reader({ snapshot: { ...EMPTY_SNAPSHOT, indexedHeight: index.height }, query: store.query });
  } finally {
    await store.close();
  }
}

/** What /v1/status of an API process that starts now would show. */
export async function shown(): Promise<Snapshot> {
  const store = await index.api.stores.open('state');
  const state = await openChainState({
    store,
    clock: systemClock,
    pollMs: 60_000,
    reportError: (error) => {
      throw error;
    },
  });
  const snapshot = state.current();
  await state.close();
  await store.close();
  return snapshot;
}
