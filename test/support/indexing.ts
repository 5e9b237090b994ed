import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { systemClock } from '../../src/core/clock.ts';
import { ETHEREUM_TYPE_URLS } from '../../src/core/parameters.ts';
import { openIndexing } from '../../src/pipeline/indexing.ts';
import type { CommitReport } from '../../src/pipeline/messages.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { FIXTURE_FOLDER } from './oracle.ts';

export interface IndexRun {
  readonly source?: BlockSource;
  readonly workers?: number;
  readonly rangeBlocks?: number;
  readonly commitBlocks?: number;
  readonly commitMs?: number;
  readonly memoryBytes?: number;
  readonly fromHeight?: number;
  readonly toHeight?: number;
  readonly chainId?: string;
  readonly signal?: AbortSignal;
  readonly onCommit?: (commit: CommitReport) => void;
}

const NO_PARAMETERS = {
  namespace: 'aeva',
  hrp: undefined,
  gasDenom: undefined,
  stableDenom: 'uusd',
  evm: { factory: undefined, stable: undefined, wrappedNative: undefined, lendingMarket: undefined },
  serviceAccounts: [],
  faucet: undefined,
  moduleAccounts: [],
  ethereumTypeUrls: ETHEREUM_TYPE_URLS,
};

export async function recordedSource(): Promise<BlockSource> {
  return createCaptureSource(await openCapture(FIXTURE_FOLDER.pathname));
}

/** Indexes the recorded chain, or another source, into a store until toHeight (the recording's end by default). */
export async function indexInto(stores: StoreFactory, run: IndexRun = {}): Promise<readonly CommitReport[]> {
  const commits: CommitReport[] = [];
  const source = run.source ?? (await recordedSource());
  const indexing = await openIndexing({
    source,
    stores,
    chainId: run.chainId,
    fromHeight: run.fromHeight,
    toHeight: run.toHeight ?? 501,
    workers: run.workers ?? 1,
    rangeBlocks: run.rangeBlocks ?? 50,
    memoryBytes: run.memoryBytes ?? 64_000_000,
    commit: { commitBlocks: run.commitBlocks ?? 2_000, commitBytes: 64_000_000, commitMs: run.commitMs ?? 2_000 },
    parameters: NO_PARAMETERS,
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined },
    signal: run.signal ?? new AbortController().signal,
    onHead: () => undefined,
    onCommit: (commit) => {
      commits.push(commit);
      run.onCommit?.(commit);
    },
  });
  try {
    await indexing.run();
  } finally {
    if (run.source === undefined) await source.close();
  }
  return commits;
}

/** The lines of `strata digest`. */
export async function digestLines(stores: StoreFactory): Promise<string[]> {
  const store = await stores.open('digest');
  const lines: string[] = [];
  for await (const { fromHeight, toHeight, sha256 } of rangeDigests(store)) {
    lines.push(`${fromHeight} ${toHeight} ${sha256}`);
  }
  await store.close();
  return lines;
}
