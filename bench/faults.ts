import { HeaderHasher, resultsHash, txsHash } from 'strata-kit/block-hash';
import { sha256 } from 'strata-kit/hash';
import { readHashedHeader } from 'strata-kit/hashed-header';
import type { FaultChances } from 'strata-kit/rpc/faults/names';
import { openCapture } from '../src/chain/capture/reader.ts';
import { startReplay } from '../src/chain/replay/server.ts';
import { createRpcSource } from '../src/chain/rpc/source.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { benchFolder } from './support/folders.ts';
import { indexAll } from './support/indexing.ts';
import { decodeRecording, loadRecording, median, RECORDING_FOLDER } from './support/recording.ts';
import type { Figure } from './support/report.ts';

/** Each a fifth of 20 % of the answers. */
const FAULTS: FaultChances = new Map([
  ['drop', 0.04],
  ['cut', 0.04],
  ['error', 0.04],
  ['throttle', 0.04],
  ['tamper', 0.04],
]);
/** Retry-After of a second would be all that is measured of one node alone. */
const FAULTS_ALONE: FaultChances = new Map([...FAULTS, ['throttle', 0]]);

/**
 * What verification costs beside decoding, and blocks/s of the recording from a node that does wrong in 20 % of its
 * answers, with a good one and alone, ÷ blocks/s of the same number of good nodes, all in this run.
 */
export async function benchFaults(rounds: number, workers: number): Promise<Figure[]> {
  const figures = await benchVerification(rounds);
  const runs: readonly (readonly [name: string, nodes: readonly FaultChances[]])[] = [
    ['one good node', [new Map()]],
    ['one node, 16 % faulty', [FAULTS_ALONE]],
    ['two good nodes', [new Map(), new Map()]],
    ['one good, one 20 % faulty', [new Map(), FAULTS]],
  ];
  const speeds = runs.map((): number[] => []);
  // the first round warms the engine up, unless there is one alone
  for (let round = rounds === 1 ? 1 : 0; round <= rounds; round++) {
    for (const [at, [, nodes]] of runs.entries()) {
      const speed = await indexFrom(nodes, round + 1, workers);
      if (round > 0) speeds[at]?.push(speed);
    }
  }
  const of = (at: number): number => median(speeds[at] ?? []);
  return [
    ...figures,
    ...runs.map(([name], at) => ({ name, value: of(at), unit: 'blocks/s' })),
    { name: 'one node: faulty ÷ good', value: of(1) / of(0), unit: 'ratio' },
    { name: 'two nodes: one faulty ÷ both good', value: of(3) / of(2), unit: 'ratio' },
  ];
}

async function indexFrom(nodes: readonly FaultChances[], seed: number, workers: number): Promise<number> {
  const capture = await openCapture(RECORDING_FOLDER);
  const { lastHeight } = capture.blocks;
  const replays = await Promise.all(
    nodes.map((chances, i) =>
      startReplay({ capture, host: '127.0.0.1', port: 0, faults: { chances, seed: seed * 10 + i } }),
    ),
  );
  const source = createRpcSource({ urls: replays.map(({ url }) => url) });
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    // texts are read from the capture once, before anything is measured
    await source.fetch(1, lastHeight);
    const startedMs = performance.now();
    await indexAll(source, stores, lastHeight, workers);
    return lastHeight / ((performance.now() - startedMs) / 1000);
  } finally {
    await source.close();
    await stores.close();
    for (const replay of replays) await replay.close();
    await capture.blocks.close();
  }
}

interface BlockJson {
  readonly block: {
    readonly header: Readonly<Record<string, unknown>>;
    readonly data: { readonly txs: readonly string[] };
  };
}
interface ResultsJson {
  readonly txs_results:
    | readonly { code: number; data: string | null; gas_wanted: string; gas_used: string }[]
    | null;
}

/** CPU of the hashes alone, over parsed blocks, against that of decoding with everything. */
async function benchVerification(rounds: number): Promise<Figure[]> {
  const recording = await loadRecording();
  const capture = await openCapture(RECORDING_FOLDER);
  const lines = Buffer.from(await capture.blocks.readLines(1, recording.blocks))
    .toString('utf8')
    .trimEnd()
    .split('\n');
  const blocks = lines.map((line) => {
    const { block, block_results } = JSON.parse(line) as { block: BlockJson; block_results: ResultsJson };
    const header = readHashedHeader(block.block.header);
    if (header === undefined) throw new Error('a block without a time');
    return {
      header,
      txs: block.block.data.txs.map((tx) => sha256(Buffer.from(tx, 'base64'))),
      results: (block_results.txs_results ?? []).map((result) => ({
        code: result.code,
        data: result.data ?? '',
        gasWanted: BigInt(result.gas_wanted),
        gasUsed: BigInt(result.gas_used),
      })),
    };
  });
  await capture.blocks.close();
  const hasher = new HeaderHasher();
  const cpu = (work: () => void): number => {
    work();
    const times = Array.from({ length: 3 * rounds }, () => {
      const started = process.cpuUsage();
      work();
      const { user, system } = process.cpuUsage(started);
      return (user + system) / blocks.length;
    });
    return median(times);
  };
  const bound = cpu(() => {
    for (const { header, txs } of blocks) {
      hasher.hash(header);
      txsHash(txs);
    }
  });
  const results = cpu(() => {
    for (const { results: of } of blocks) resultsHash(of);
  });
  const decode = cpu(() => decodeRecording(recording));
  return [
    { name: 'verify: header and txs', value: bound, unit: 'µs a block' },
    { name: 'verify: results', value: results, unit: 'µs a block' },
    { name: 'decode, verification included', value: decode, unit: 'µs a block' },
    { name: 'verification ÷ decode', value: (bound + results) / decode, unit: 'ratio' },
  ];
}
