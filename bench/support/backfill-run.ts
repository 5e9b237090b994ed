import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { indexAll } from './indexing.ts';

/**
 * One backfill in a process of its own, so that its peak memory is its own. argv: the node's URL, blocks, decode
 * threads, the data folder, and whether modules are `on` or `off`. Prints a BackfillRun as JSON.
 */
export interface BackfillRun {
  /** From opening the store until everything is committed. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  /** The greatest resident memory of the process, which is the whole tree. */
  readonly peakRssBytes: number;
  readonly commits: readonly { readonly height: number; readonly seconds: number }[];
}

const [url = '', blocks = '', workers = '', folder = '', modules = 'on'] = process.argv.slice(2);
const stores = await openEmbedded({ folder });
const source = createRpcSource({ urls: [url] });
const commits: { height: number; seconds: number }[] = [];
const startedMs = performance.now();
const startedCpu = process.cpuUsage();
const seconds = () => (performance.now() - startedMs) / 1000;
const onCommit = ({ height }: { readonly height: number }): void => {
  commits.push({ height, seconds: seconds() });
};
await indexAll(source, stores, Number(blocks), Number(workers), onCommit, modules === 'on');
const { user, system } = process.cpuUsage(startedCpu);
const run: BackfillRun = {
  seconds: seconds(),
  cpuSeconds: (user + system) / 1e6,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
  commits,
};
await source.close();
await stores.close();
process.stdout.write(`${JSON.stringify(run)}\n`, () => process.exit(0));
