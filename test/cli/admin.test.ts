import type { CommandContext } from 'strata-kit/cli/context';
import { createLogger } from 'strata-kit/cli/logging';
import { afterEach, describe, expect, it } from 'vitest';
import { type Admin, type AdminParts, startAdmin } from '../../src/cli/admin.ts';
import type { HeadBack, IndexingHealth, IndexingPhase, Stall } from '../../src/pipeline/health.ts';

/** What a process tells its admin listener, and what that makes of it. */

let admin: Admin | undefined;
afterEach(async () => {
  await admin?.close();
  admin = undefined;
});

const context: CommandContext = {
  log: createLogger({ format: 'json', level: 'silent', write: () => {} }),
  line: undefined,
  print: () => {},
  write: () => {},
  columns: undefined,
  readInput: () => Promise.resolve(''),
  signal: new AbortController().signal,
  fail: () => {},
  version: '1.2.3',
};

async function start(parts: AdminParts): Promise<Admin> {
  const options = { admin: { host: '127.0.0.1', port: 0 }, readyLagBlocks: 20 };
  admin = await startAdmin(options, parts, context);
  if (admin === undefined) throw new Error('no listener');
  return admin;
}

async function ready({ url }: Admin): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, ...((await answer.json()) as object) };
}

/** A health that says what it is told to. */
function health(): IndexingHealth & {
  phase: IndexingPhase;
  stall: Stall | undefined;
  headBack: HeadBack | undefined;
} {
  return {
    phase: 'opening',
    stall: undefined,
    headBack: undefined,
    status() {
      return {
        phase: this.phase,
        indexedHeight: 0,
        chainHeight: 0,
        lagBlocks: 0,
        progressMs: 0,
        lastError: { code: 'node_timeout', node: 'http://a', atMs: 0 },
        stall: this.stall,
        headBack: this.headBack,
      };
    },
    notePhase: () => {},
    noteIndexed: () => {},
    noteHead: () => {},
    noteError: () => {},
    noteRederiving: () => {},
    watch: async () => {},
  };
}

const indexing = {
  chainHeight: 1_000,
  position: { height: 990, blockTimeNs: 1n },
  inFlight: () => ({ bytes: 1, limitBytes: 2, ranges: 3 }),
  modules: () => 'forced' as const,
  badBlocks: () => ({ count: 1, heights: [77] }),
};
const commit = {
  height: 995,
  firstHeight: 1,
  blockHash: '',
  blockTimeNs: 2n,
  chainHeight: 1_000,
  blocks: 5,
  events: 9,
  txs: 3,
  badBlocks: [],
  checkpoint: { generations: new Map(), driftRows: 0, badBlockRows: 0 },
  rawBytes: 100,
  nativeBytes: 50,
  gatherMs: 10,
  durationMs: 20,
};

describe('without --admin', () => {
  it('nothing listens', async () => {
    const none = { admin: undefined, readyLagBlocks: 20 };
    expect(await startAdmin(none, { command: 'index' }, context)).toBeUndefined();
  });
});

describe('a process that indexes', () => {
  it('is alive and not ready while its store is opened, and ready near the head', async () => {
    const state = health();
    const told = await start({ command: 'index', health: state });
    expect((await fetch(`${told.url}/healthz`)).status).toBe(200);
    expect(await ready(told)).toMatchObject({
      status: 503,
      reasons: ['nothing is indexed yet', 'the store is being opened'],
    });
    state.phase = 'backfill';
    told.watchIndexing({ ...indexing, position: { height: 500, blockTimeNs: 1n } }, undefined);
    expect(await ready(told)).toMatchObject({ status: 503, lag_blocks: 500 });
    told.noteCommit(commit);
    expect(await ready(told)).toMatchObject({
      status: 200,
      indexed_height: 995,
      lag_blocks: 5,
      stall: null,
      modules: 'forced',
      bad_blocks: { count: 1, heights: [77] },
      head_back: null,
    });
    expect(await (await fetch(`${told.url}/metrics`)).text()).toContain('\nstrata_bad_blocks 1\n');
    told.noteHead(2_000);
    expect(await ready(told)).toMatchObject({ status: 503, chain_height: 2_000 });
  });

  it('is not ready while it stands still, but for a chain that does so itself', async () => {
    const state = health();
    state.phase = 'following';
    const told = await start({ command: 'index', health: state });
    told.watchIndexing(indexing, undefined);
    state.stall = { reason: 'no_commit', sinceMs: Date.now() - 30_000 };
    expect(await ready(told)).toMatchObject({
      status: 503,
      stall: 'no_commit',
      reasons: [
        expect.stringMatching(/^indexing stands still for 3\d s \(no_commit, last error node_timeout\)$/),
      ],
    });
    expect(await (await fetch(`${told.url}/metrics`)).text()).toContain('\nstrata_stalled 1\n');
    state.stall = { reason: 'no_new_block', sinceMs: 0 };
    expect(await ready(told)).toMatchObject({ status: 200, stall: 'no_new_block' });
  });

  it('is not ready while the head of its nodes is lower than it was', async () => {
    const state = health();
    state.phase = 'following';
    const told = await start({ command: 'index', health: state });
    told.watchIndexing(indexing, undefined);
    const sinceMs = Date.now() - 30_000;
    state.stall = { reason: 'head_back', sinceMs };
    state.headBack = { fromHeight: 1_000, toHeight: 900, sinceMs };
    expect(await ready(told)).toMatchObject({
      status: 503,
      stall: 'head_back',
      head_back: { from: 1_000, to: 900 },
      reasons: [expect.stringMatching(/^the nodes' head went back from height 1000 to 900, 3\d s ago$/)],
    });
    expect(await (await fetch(`${told.url}/metrics`)).text()).toContain('\nstrata_head_back_blocks 100\n');
  });

  it('that ends at --to is ready there', async () => {
    const state = health();
    state.phase = 'ended';
    const told = await start({ command: 'start', health: state });
    told.watchIndexing(indexing, 991);
    told.noteHead(5_000);
    expect(await ready(told)).toMatchObject({ status: 200, chain_height: 991 });
    expect(await (await fetch(`${told.url}/metrics`)).text()).toContain('\nstrata_chain_height 5000\n');
  });
});

describe('a process that serves', () => {
  it('stands where its store stands, as long as that can be read', async () => {
    const told = await start({ command: 'serve', api: true });
    expect(await ready(told)).toMatchObject({
      status: 503,
      reasons: expect.arrayContaining(['the API is not served yet']),
    });
    let readAtMs = Date.now();
    const snapshot = {
      indexedHeight: 90,
      latestBlockTimeNs: 1n,
      chainHeight: 95,
      generations: new Map([['rights', 1]]),
      driftTotal: 3,
      badBlocks: { count: 1_001, heights: [5, 6] },
      reconciliations: 1_790_000_000_500,
    };
    expect(await (await fetch(`${told.url}/metrics`)).text()).toContain('\nstrata_drift_total 0\n');
    told.watchServing({ snapshot: () => snapshot, readAtMs: () => readAtMs });
    const text = await (await fetch(`${told.url}/metrics`)).text();
    expect(text).toContain('\nstrata_drift_total 3\n');
    expect(text).toContain('\nstrata_reconciliation_timestamp_seconds 1790000000.5\n');
    expect(await ready(told)).toMatchObject({
      status: 200,
      indexed_height: 90,
      lag_blocks: 5,
      modules: 'on',
      bad_blocks: { count: 1_001, heights: [5, 6] },
    });
    readAtMs -= 60_000;
    expect(await ready(told)).toMatchObject({
      status: 503,
      reasons: [expect.stringContaining("the store's checkpoint could not be read for 6")],
    });
  });
});

describe('a process without a store', () => {
  it('is ready, and has no heights', async () => {
    const told = await start({ command: 'replay' });
    expect(await ready(told)).toEqual({ status: 200, ready: true, reasons: [], stall: null });
    expect(await (await fetch(`${told.url}/metrics`)).text()).not.toContain('strata_indexed_height');
  });
});
