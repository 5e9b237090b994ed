import { join } from 'node:path';
import { RowReader } from '../src/core/rowbinary.ts';
import type { TableSpec } from '../src/core/table.ts';
import { DECODED_TABLES } from '../src/core/tables.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import { migrate } from '../src/store/migrations.ts';
import type { Store } from '../src/store/store.ts';
import { startChild } from './support/child.ts';
import { engineCpu } from './support/engine-cpu.ts';
import { benchFolder } from './support/folders.ts';
import { COMMIT_LIMITS } from './support/indexing.ts';
import { decodeRanges, spoolCommits } from './support/ready-commits.ts';
import { median } from './support/recording.ts';
import type { Figure } from './support/report.ts';

/** The recording once, so that nothing in it is there twice. */
const BLOCKS = 501;
/** With the texts' codec replaced by each of these; undefined is the schema's own. */
const CODECS = [undefined, 'NONE', 'LZ4', 'ZSTD(3)'];

/**
 * Bytes on disk a row, and CPU of an insert, by the codec of the text columns. Rounds alternate between the codecs, and
 * the median counts.
 */
export async function benchCodecs(rounds: number): Promise<Figure[]> {
  const node = await startChild(new URL('./support/stretched-node.js', import.meta.url), [String(BLOCKS)]);
  const ranges = await decodeRanges(node.ready, BLOCKS);
  await node.stop();
  const [commit] = await spoolCommits(ranges, join(benchFolder(), 'ready'), COMMIT_LIMITS);
  const stores = await openEmbedded({ folder: benchFolder() });
  const store = await stores.open('codecs');
  await migrate(store);
  const figures: Figure[] = [];
  for (const table of DECODED_TABLES.filter(({ columns }) => columns.some(([, type]) => isText(type)))) {
    const path = commit?.files.get(table.name)?.path;
    if (path === undefined) continue;
    const names = await Promise.all(CODECS.map((codec, i) => createTable(store, table, codec, i)));
    const cpuMs = names.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, name] of names.entries()) {
        const before = engineCpu();
        await store.insertNativeFiles(
          name,
          table.columns.map(([column]) => column),
          [path],
        );
        cpuMs[i]?.push(engineCpu().allMs - before.allMs);
      }
    }
    for (const [i, name] of names.entries()) {
      const title = `${table.name}, texts ${CODECS[i] ?? 'as in the schema'}`;
      const rawMb = (commit?.rawBytes ?? Number.NaN) / 1e6;
      const perMb = median(cpuMs[i] ?? []) / rawMb;
      figures.push({ name: title, value: await bytesPerRow(store, name), unit: 'bytes/row' });
      figures.push({ name: `${title}, insert`, value: perMb, unit: 'ms CPU/MB raw' });
    }
  }
  await stores.close();
  return figures;
}

function isText(type: string): boolean {
  return type === 'String' || type === 'Array(String)';
}

/** The schema's own table, without merges, so that each round's part stays as it was written. */
async function createTable(
  store: Store,
  { name, columns }: TableSpec,
  codec: string | undefined,
  i: number,
): Promise<string> {
  const copy = `${name}_${i}`;
  await store.command(`CREATE TABLE ${copy} AS ${name}`);
  await store.command(`SYSTEM STOP MERGES ${copy}`);
  const texts = columns.filter(([, type]) => codec !== undefined && isText(type));
  for (const [column] of texts) {
    await store.command(`ALTER TABLE ${copy} MODIFY COLUMN ${column} CODEC(${codec})`);
  }
  return copy;
}

async function bytesPerRow(store: Store, table: string): Promise<number> {
  const rows = new RowReader(
    await store.query(`SELECT sum(bytes_on_disk), sum(rows) FROM system.parts
WHERE active AND database = currentDatabase() AND table = '${table}'`),
  );
  return rows.u64() / rows.u64();
}
