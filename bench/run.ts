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
import { benchFollow, RECORDED } from './follow.ts';
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
import { type Figure, report } from './support/report.ts';
import { benchTip } from './tip.ts';

/**
 * npm run bench: decode, backfill and API figures as a table, and as JSON in bench/results/. Ratios compare two things
 * measured in this run; absolute figures say what this machine did today.
 *
 * --only NAME: one part of PARTS. --smoke: small sizes, to see that everything runs; with --seed N, a third of the parts.
 * --blocks N: length of the backfill, or commits at the head. --workers N: decode threads (one a core by default).
 * --corpus FOLDER: a corpus that is there, for head, follow, modules and reindex.
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
/** A smoke test with a seed runs one part of so many: CI runs others each time. */
const SHARE = 3;

const args = process.argv.slice(2);
const smoke = args.includes('--smoke');
const only = flagValue('--only');
const seed = flagValue('--seed');
const corpus = flagValue('--corpus');
const givenBlocks = flagValue('--blocks');
const blocks = Number(givenBlocks ?? (smoke ? 501 : 20_040));
const moduleBlocks = smoke ? 60 : Number(givenBlocks ?? MODULE_BLOCKS);
const turns = smoke ? 1 : 3;
const workers = Number(flagValue('--workers') ?? availableParallelism());

function flagValue(flag: string): string | undefined {
  const at = args.indexOf(flag);
  return at < 0 ? undefined : args[at + 1];
}

interface Part {
  readonly name: string;
  /** It runs when it is named, and in no run of all. */
  readonly isNamedOnly?: boolean;
  run(): Promise<void>;
}

/** A part that gives one table. */
function part(
  name: string,
  figures: () => Promise<readonly Figure[]> | readonly Figure[],
  file = name,
): Part {
  return { name, run: async () => report(await figures(), file) };
}

function namedOnly(name: string, figures: Parameters<typeof part>[1]): Part {
  return { ...part(name, figures), isNamedOnly: true };
}

async function follow(): Promise<void> {
  const size = smoke
    ? { warmUpMs: 2_000, blocks: 2, firstRequests: 1 }
    : { warmUpMs: 60_000, blocks: 60, firstRequests: 5 };
  report(await benchFollow(RECORDED, size), 'follow');
  if (corpus === undefined) return;
  report(await benchFollow({ name: 'corpus', folder: corpus }, size), 'follow-corpus');
}

async function tip(): Promise<void> {
  for (const isDurable of smoke ? [true] : [false, true]) {
    report(await benchTip(smoke ? 4 : 100, isDurable), isDurable ? 'tip-durable' : 'tip');
  }
}

const headSize = smoke
  ? { commits: 5, pacedCommits: 1, idleSeconds: 0.2 }
  : { commits: Number(givenBlocks ?? HEAD_COMMITS), pacedCommits: 30, idleSeconds: 10 };
const soakSize = smoke
  ? { blocks: 60, earlyHeight: 20, paceMs: 100 }
  : { blocks: Number(givenBlocks ?? SOAK_BLOCKS), earlyHeight: 2_000, paceMs: 100 };

const PARTS: readonly Part[] = [
  part('decode', () => benchDecode(smoke ? 3 : 15)),
  part('insert', () => benchInsert(Math.min(blocks, INSERT_BLOCKS), smoke ? 0.2 : 2)),
  part('backfill', () => benchBackfill(blocks, workers, 'recorded')),
  part('small-txs', () => benchBackfill(blocks, workers, 10), 'backfill-10-txs'),
  part('many-txs', () => benchBackfill(Math.ceil(blocks / HEAVY_BLOCK), workers, 200), 'backfill-200-txs'),
  part('length', () => benchLength(smoke ? 50 : blocks, workers)),
  { name: 'tip', run: tip },
  part('head', () => benchHead({ ...headSize, corpus })),
  { name: 'follow', run: follow },
  part('http', () => benchHttp(smoke ? 0.2 : 5)),
  part('faults', () => benchFaults(smoke ? 1 : 3, workers)),
  part('latency', () => benchLatency(smoke ? 100 : blocks, workers, smoke ? [150] : [50, 150, 400])),
  part('endpoints', () => benchEndpoints(smoke ? 1 : 3, smoke ? ['batch-400'] : GATEWAYS)),
  part('api', () => benchApi({ smoke })),
  part('holders', () => benchHolders(smoke)),
  part('leaderboard', () => benchLeaderboard(smoke)),
  part('prices', () => benchPrices(smoke)),
  part('api-backfill', () => benchDuringBackfill(blocks, workers, smoke ? 0.5 : 6)),
  part('modules', () => benchModules(moduleBlocks, workers, turns, corpus)),
  part('reindex', () => benchReindex(moduleBlocks, workers, turns, corpus)),
  namedOnly('scale', () => benchScale(blocks)),
  namedOnly('soak', () => benchSoak(soakSize)),
  namedOnly('codecs', () => benchCodecs(9)),
  namedOnly('devnet', () => benchDevnet(smoke ? 1 : 3, smoke ? 50 : 300)),
  namedOnly('devnet-codec', benchDevnetCodec),
  namedOnly('devnet-rpc', () => benchDevnetRpc(smoke ? 1_503 : 10_020, smoke ? 100 : 400, workers)),
  // node --expose-gc dist/bench/run.js
  namedOnly('position-memory', () => benchPositionMemory(smoke ? 20_000 : 1_000_000)),
];

function chosen(): readonly Part[] {
  if (only !== undefined) return PARTS.filter(({ name }) => name === only);
  const all = PARTS.filter(({ isNamedOnly }) => isNamedOnly !== true);
  if (!smoke || seed === undefined) return all;
  return all.filter((_part, at) => (at + Number(seed)) % SHARE === 0);
}

const parts = chosen();
if (parts.length === 0) {
  const names = PARTS.map(({ name }) => name).join(', ');
  process.stderr.write(`--only ${only}: it is one of ${names}\n`);
  process.exit(2);
}
for (const { name, run } of parts) {
  const startedMs = performance.now();
  await run();
  if (smoke) process.stdout.write(`${name}: ${((performance.now() - startedMs) / 1_000).toFixed(0)} s\n`);
}
removeFolders();
process.exit(0);
