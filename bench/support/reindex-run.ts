import { reindexStores } from '../../src/cli/reindexing.ts';
import { openEmbedded } from '../../src/store/embedded.ts';

/** One `strata reindex` of all modules in a process of its own. argv: the data folder. Prints a ReindexRun as JSON. */
export interface ReindexRun {
  readonly blocks: number;
  readonly events: number;
  /** Of the derivation, up to the switch; opening the store and dropping what is replaced are not in it. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssBytes: number;
}

const stores = await openEmbedded({ folder: process.argv[2] ?? '' });
const startedCpu = process.cpuUsage();
const { blocks, events, seconds } = await reindexStores(stores, {
  module: undefined,
  namespace: 'aeva',
  modulePaths: [],
  forceModules: false,
  isAlone: true,
  signal: new AbortController().signal,
});
const { user, system } = process.cpuUsage(startedCpu);
const run: ReindexRun = {
  blocks,
  events,
  seconds,
  cpuSeconds: (user + system) / 1e6,
  peakRssBytes: process.resourceUsage().maxRSS * 1024,
};
await stores.close();
process.stdout.write(`${JSON.stringify(run)}\n`, () => process.exit(0));
