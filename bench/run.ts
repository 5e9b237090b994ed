import { availableParallelism } from 'node:os';
import { benchApi } from './api.ts';
import { benchDuringBackfill } from './api-backfill.ts';
import { benchBackfill, benchLength } from './backfill.ts';
import { benchCodecs } from './codecs.ts';
import { benchDecode } from './decode.ts';
import { benchDevnet } from './devnet.ts';
import { benchDevnetCodec } from './devnet-codec.ts';
import { benchDevnetRpc } from './devnet-rpc.ts';
import { benchEndpoints, GATEWAYS } from './endpoints.ts';
import { benchFaults } from './faults.ts';
import { benchFollow } from './follow.ts';
import { benchHead } from './head.ts';
import { benchHolders } from './holders.ts';
import { benchHttp } from './http.ts';
import { benchInsert } from './insert.ts';
import { benchLatency } from './latency.ts';
import { benchLeaderboard } from './leaderboard.ts';
import { benchModules, benchReindex } from './modules.ts';
import { benchPositionMemory } from './position-memory.ts';
import { benchPrices } from './prices.ts';
import { benchScale } from './scale.ts';
import { benchSoak } from './soak.ts';
import { removeFolders } from './support/folders.ts';
import { report } from './support/report.ts';
import { benchTip } from './tip.ts';

/**
 * npm run bench: decode, backfill and API figures as a table, and as JSON in bench/results/. Ratios compare two things
 * measured in this run; absolute figures say what this machine did today.
 *
 * --smoke: small sizes, to see that everything runs. --blocks N: length of the backfill. --workers N: decode threads
 * (one a core by default). --only NAME: decode, insert, backfill, small-txs, many-txs, length, tip, head, follow, http, faults,
 * latency, endpoints, modules, reindex, api, holders, leaderboard, prices or api-backfill; and scale, soak, codecs, devnet, devnet-codec, devnet-rpc and
 * position-memory (node --expose-gc dist/bench/run.js), which run when they are named.
 */

/** Decoded blocks are held in memory. */
const INSERT_BLOCKS = 20_040;
/** A corpus of these takes half a minute to make; `--corpus FOLDER` takes one that is there, and `--blocks` of it. */
const MODULE_BLOCKS = 2_000;
/** Commits of one block each. */
const HEAD_COMMITS = 300;
/** Ten a second: 83 minutes. */
const SOAK_BLOCKS = 50_000;
/** A block of 200 small txs is about so many recorded ones. */
const HEAVY_BLOCK = 10;

const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const only = flagValue('--only');
const blocks = Number(flagValue('--blocks') ?? (smoke ? 501 : 20_040));
const workers = Number(flagValue('--workers') ?? availableParallelism());

function flagValue(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

const wanted = (name: string): boolean => only === undefined || only === name;
if (wanted('decode')) report(await benchDecode(smoke ? 3 : 15), 'decode');
if (wanted('insert')) report(await benchInsert(Math.min(blocks, INSERT_BLOCKS), smoke ? 0.2 : 2), 'insert');
if (only === 'codecs') report(await benchCodecs(9), 'codecs');
if (only === 'devnet') report(await benchDevnet(smoke ? 1 : 3, smoke ? 50 : 300), 'devnet');
if (only === 'devnet-codec') report(benchDevnetCodec(), 'devnet-codec');
if (only === 'devnet-rpc')
  report(await benchDevnetRpc(smoke ? 1_503 : 10_020, smoke ? 100 : 400, workers), 'devnet-rpc');
if (wanted('backfill')) report(await benchBackfill(blocks, workers, 'recorded'), 'backfill');
// many-txs runs the same code
if (wanted('small-txs') && !smoke) report(await benchBackfill(blocks, workers, 10), 'backfill-10-txs');
if (wanted('many-txs')) {
  report(await benchBackfill(Math.ceil(blocks / HEAVY_BLOCK), workers, 200), 'backfill-200-txs');
}
if (only === 'scale') report(await benchScale(blocks), 'scale');
if (wanted('length')) report(await benchLength(smoke ? 50 : blocks, workers), 'length');
if (wanted('tip')) {
  for (const isDurable of smoke ? [true] : [false, true]) {
    report(await benchTip(smoke ? 4 : 100, isDurable), isDurable ? 'tip-durable' : 'tip');
  }
}
if (wanted('head')) {
  const size = smoke
    ? { commits: 5, pacedCommits: 1, idleSeconds: 0.2 }
    : { commits: Number(flagValue('--blocks') ?? HEAD_COMMITS), pacedCommits: 30, idleSeconds: 10 };
  report(await benchHead({ ...size, corpus: flagValue('--corpus') }), 'head');
}
if (wanted('follow')) {
  const size = smoke
    ? { warmUpMs: 2_000, blocks: 2, firstRequests: 1 }
    : { warmUpMs: 60_000, blocks: 60, firstRequests: 5 };
  report(await benchFollow(size), 'follow');
}
if (only === 'soak') {
  const size = smoke
    ? { blocks: 60, earlyHeight: 20, paceMs: 100 }
    : { blocks: Number(flagValue('--blocks') ?? SOAK_BLOCKS), earlyHeight: 2_000, paceMs: 100 };
  report(await benchSoak(size), 'soak');
}
if (wanted('http')) report(await benchHttp(smoke ? 0.2 : 5), 'http');
if (wanted('faults')) report(await benchFaults(smoke ? 1 : 3, workers), 'faults');
if (wanted('latency'))
  report(await benchLatency(smoke ? 100 : blocks, workers, smoke ? [150] : [50, 150, 400]), 'latency');
if (wanted('endpoints'))
  report(await benchEndpoints(smoke ? 1 : 3, smoke ? ['batch-400'] : GATEWAYS), 'endpoints');
if (wanted('api')) report(await benchApi({ smoke }), 'api');
if (only === 'position-memory') {
  report(benchPositionMemory(smoke ? 20_000 : 1_000_000), 'position-memory');
}
if (wanted('holders')) report(await benchHolders(smoke), 'holders');
if (wanted('leaderboard')) report(await benchLeaderboard(smoke), 'leaderboard');
if (wanted('prices')) report(await benchPrices(smoke), 'prices');
if (wanted('api-backfill')) {
  report(await benchDuringBackfill(blocks, workers, smoke ? 0.5 : 6), 'api-backfill');
}
if (wanted('modules')) {
  const turns = smoke ? 1 : 3;
  const moduleBlocks = smoke ? 60 : Number(flagValue('--blocks') ?? MODULE_BLOCKS);
  report(await benchModules(moduleBlocks, workers, turns, flagValue('--corpus')), 'modules');
}
if (wanted('reindex')) {
  const turns = smoke ? 1 : 3;
  const moduleBlocks = smoke ? 60 : Number(flagValue('--blocks') ?? MODULE_BLOCKS);
  report(await benchReindex(moduleBlocks, workers, turns, flagValue('--corpus')), 'reindex');
}
removeFolders();
process.exit(0);
