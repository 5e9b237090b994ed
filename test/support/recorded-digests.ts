import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RowReader } from '../../src/core/rowbinary.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { rangeDigests } from '../../src/store/digests.ts';
import { withStore } from './indexing.ts';
import { copyTemplate } from './templates.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { copyRecordedStore } from './worlds.ts';

/**
 * What a store of the recorded chain must have as its digests, read from the undisturbed run over all of it (worlds.ts)
 * and kept with the templates: a test compares with it, and indexes nothing for the comparison. The first call in a
 * process may open a store, so it must come while no other is open: in beforeAll.
 */

interface RecordedDigests {
  /** By height, for each tenth and the last: the lines of `strata digest` of a store that ends there. */
  readonly lines: Readonly<Record<string, readonly string[]>>;
  /** By height - 1: the digest of the height's rows, in hex. */
  readonly heights: readonly string[];
}

const EVERY = 10;

let known: Promise<RecordedDigests> | undefined;

/** As digestLines gives them. The height is a multiple of ten, or the last one. */
export async function recordedDigest(toHeight = 501): Promise<readonly string[]> {
  known ??= load();
  const lines = (await known).lines[toHeight];
  if (lines === undefined) throw new Error(`no digest is kept for height ${toHeight}`);
  return lines;
}

/** Of heights 1 to 501. */
export async function recordedHeightDigests(): Promise<readonly string[]> {
  known ??= load();
  return (await known).heights;
}

async function load(): Promise<RecordedDigests> {
  const folder = await temporaryFolder();
  try {
    const into = join(folder.path, 'digests');
    await copyTemplate('recording-digests', into, async (made) => {
      await copyRecordedStore(join(folder.path, 'store'));
      const digests = await withStore(join(folder.path, 'store'), async (stores) => {
        const store = await stores.open('digests');
        const lines: Record<string, readonly string[]> = {};
        const checkpoint = await readCheckpoint(store);
        if (checkpoint === undefined) throw new Error('the recorded store is empty');
        const ends = Array.from({ length: checkpoint.height }, (_, i) => i + 1).filter(
          (height) => height % EVERY === 0 || height === checkpoint.height,
        );
        for (const height of ends) {
          const found: string[] = [];
          // the counts of rows are those of the end
          for await (const range of rangeDigests(store, { ...checkpoint, height, rows: new Map() })) {
            found.push(`${range.fromHeight} ${range.toHeight} ${range.sha256}`);
          }
          lines[height] = found;
        }
        const rows = new RowReader(
          await store.query('SELECT hex(digest) FROM height_digests ORDER BY height'),
        );
        const heights: string[] = [];
        while (!rows.done) heights.push(rows.string());
        await store.close();
        return { lines, heights };
      });
      await mkdir(made, { recursive: true });
      await writeFile(join(made, 'digests.json'), JSON.stringify(digests));
    });
    return JSON.parse(await readFile(join(into, 'digests.json'), 'utf8')) as RecordedDigests;
  } finally {
    await folder.remove();
  }
}
