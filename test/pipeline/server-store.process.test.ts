import { once } from 'node:events';
import type { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../src/store/server.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { waitForWriters } from '../../src/store/writers.ts';
import { type EngineUnderTest, startEngine } from '../support/engine.ts';
import { digestLines, indexInto, recordedSource, rowCounts } from '../support/indexing.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A ClickHouse server holds what the embedded engine holds. */

describe('a store on a server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let engine: EngineUnderTest;
  let stores: StoreFactory;

  beforeAll(async () => {
    folder = await temporaryFolder();
    engine = await startEngine(folder.path);
    stores = await openServer({ ...engine, database: 'strata' });
  });
  afterAll(async () => {
    await stores.close();
    await engine.stop();
    await folder.remove();
  });

  it('has the same digest after an interrupted run as the embedded one', async () => {
    const stop = new AbortController();
    const recorded = await recordedSource();
    // where the first commit is reported late, everything that was fetched until then is committed
    const source = {
      ...recorded,
      fetch: async (from: number, to: number, signal?: AbortSignal) => {
        if (to > 200 && !stop.signal.aborted) await once(stop.signal, 'abort');
        return recorded.fetch(from, to, signal);
      },
    };
    const run = {
      source,
      signal: stop.signal,
      rangeBlocks: 10,
      commitBlocks: 10,
      onCommit: () => stop.abort(),
    };
    await expect(indexInto(stores, run)).rejects.toMatchObject({ code: 'aborted' });
    await recorded.close();
    const commits = await indexInto(stores, { workers: 2 });
    expect(commits.at(0)?.blocks).toBeLessThan(501);
    expect(commits.at(-1)).toMatchObject({ firstHeight: 1, height: 501 });
    expect(await digestLines(stores)).toEqual(await recordedDigest());
    const { tables, checkpoint } = await rowCounts(stores);
    expect(checkpoint).toEqual(tables);
  }, 120_000);

  it('waits at its start for an insert whose process was killed', async () => {
    const other = await openServer({ ...engine, database: 'late' });
    await indexInto(other, { toHeight: 50 });
    const killed = await other.open('killed');
    const look = await other.open('look');
    const insert = killed.command(
      'INSERT INTO blocks (height) SETTINGS max_block_size = 1 SELECT number + 51 FROM numbers(4) WHERE sleepEachRow(0.5) = 0',
    );
    await expect
      .poll(() => waitForWriters(look, 0).catch((error: StrataError) => error.message))
      .toMatch(/1 statements write into this store/);
    await expect(waitForWriters(look, 0)).rejects.toMatchObject({ code: 'store_in_use' });
    const warnings: string[] = [];
    await indexInto(other, { toHeight: 80, warnings });
    await insert;
    expect(warnings).toEqual(['removed rows of a commit that was cut short']);
    const { tables, checkpoint } = await rowCounts(other);
    expect(checkpoint).toEqual(tables);
    await other.close();
  }, 120_000);

  it('is repaired at start like the embedded one', async () => {
    const other = await openServer({ ...engine, database: 'cut_short' });
    await indexInto(other, { toHeight: 50 });
    await indexInto(other, { toHeight: 80 });
    // as if the process had been killed before the checkpoint, with a view that had not got its rows
    const store = await other.open('kill');
    for (const rows of ['checkpoints WHERE height > 50', 'txs_by_method WHERE height > 70']) {
      await store.command(`DELETE FROM ${rows} SETTINGS lightweight_deletes_sync = 2`);
    }
    const warnings: string[] = [];
    const commits = await indexInto(other, { toHeight: 80, warnings });
    expect(warnings).toEqual(['removed rows of a commit that was cut short']);
    expect(commits.reduce((sum, { blocks }) => sum + blocks, 0)).toBe(30);
    expect(await digestLines(other)).toEqual(await recordedDigest(80));
    const { tables, checkpoint } = await rowCounts(other);
    expect(checkpoint).toEqual(tables);
    await other.close();
  }, 120_000);
});
