import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openCapture } from '../src/chain/capture/reader.ts';
import { createCaptureSource } from '../src/chain/capture/source.ts';
import { createLogger } from '../src/cli/logging.ts';
import { startServing } from '../src/cli/serving.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { RowReader } from '../src/store/rowbinary.ts';
import { indexAll } from './support/indexing.ts';
import { RECORDING_FOLDER } from './support/recording.ts';
import type { Figure } from './support/report.ts';

const CONNECTIONS = 16;

/** Requests/s of a hot cached route and of an uncached one, over the recorded chain, the load from another process. */
export async function benchApi(seconds: number): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-bench-'));
  const stores = await openEmbedded({ folder });
  try {
    const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
    await indexAll(source, stores, (await source.head()).latestHeight, 1);
    const store = await stores.open('bench');
    const rows = new RowReader(await store.query('SELECT hex(hash) FROM txs ORDER BY rand(7) LIMIT 2500'));
    const hashes: string[] = [];
    while (!rows.done) hashes.push(rows.string());
    const log = createLogger({
      format: 'pretty',
      level: 'warn',
      write: (text) => process.stderr.write(text),
    });
    const serving = await startServing(stores, { host: '127.0.0.1', port: 0 }, log);
    const cached = await load(folder, serving.url, seconds, ['/v1/stats']);
    const uncached = await load(
      folder,
      serving.url,
      seconds,
      hashes.map((hash) => `/v1/txs/${hash}`),
    );
    await serving.close();
    return [...figures('/v1/stats, cached', cached), ...figures('/v1/txs/{hash}, random', uncached)];
  } finally {
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function load(
  folder: string,
  url: string,
  seconds: number,
  targets: readonly string[],
): Promise<LoadResult> {
  const targetsFile = join(folder, 'targets.json');
  await writeFile(targetsFile, JSON.stringify(targets));
  const script = new URL('./support/load.js', import.meta.url).pathname;
  const args = [script, url, String(CONNECTIONS), String(seconds), targetsFile];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 1 << 24 });
  return JSON.parse(stdout) as LoadResult;
}

function figures(name: string, result: LoadResult): Figure[] {
  return [
    { name, value: result.requests / result.seconds, unit: 'requests/s' },
    { name: `${name}, p50`, value: result.p50Ms, unit: 'ms' },
    { name: `${name}, p99`, value: result.p99Ms, unit: 'ms' },
  ];
}
