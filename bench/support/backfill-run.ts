import { setTimeout as sleep } from 'node:timers/promises';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { indexAll } from './indexing.ts';
import { type ThreadCpu, threadCpu } from './thread-cpu.ts';

/**
 * One backfill in a process of its own, so that its peak memory is its own. argv: the node's URL, blocks, decode
 * threads, the data folder, whether modules are `on` or `off`, and by how many milliseconds each insert is made slower.
 * Prints a BackfillRun as JSON.
 */
export interface BackfillRun {
  /** From opening the store until everything is committed. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The greatest resident memory of the process, which is the whole tree. */
  readonly peakRssBytes: number;
  /** From opening the store on; `all` is cpuSeconds. */
  readonly threads: ThreadCpu;
  readonly inserts: number;
  readonly commits: readonly { readonly height: number; readonly seconds: number }[];
}

const [url = '', blocks = '', workers = '', folder = '', modules = 'on', slowMs = '0'] =
  process.argv.slice(2);
const embedded = await openEmbedded({ folder });
let inserts = 0;
/** Counts inserts, and lets each wait before it begins. */
const stores: StoreFactory = {
  ...embedded,
  async open(session) {
    const store = await embedded.open(session);
    return {
      ...store,
      async insertNativeFiles(...args) {
        inserts++;
        if (slowMs !== '0') await sleep(Number(slowMs));
        await store.insertNativeFiles(...args);
      },
    };
  },
};
const source = createRpcSource({ urls: [url] });
const commits: { height: number; seconds: number }[] = [];
const startedMs = performance.now();
const before = threadCpu();
const seconds = () => (performance.now() - startedMs) / 1000;
const onCommit = ({ height }: { readonly height: number }): void => {
  commits.push({ height, seconds: seconds() });
};
await indexAll(source, stores, Number(blocks), Number(workers), onCommit, modules === 'on');
const after = threadCpu();
const threads: ThreadCpu = {
  all: after.all - before.all,
  main: after.main - before.main,
  queries: after.queries - before.queries,
  engine: after.engine - before.engine,
};
const run: BackfillRun = {
  seconds: seconds(),
  cpuSeconds: threads.all,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
  threads,
  inserts,
  commits,
};
await source.close();
await stores.close();
process.stdout.write(`${JSON.stringify(run)}\n`, () => process.exit(0));
