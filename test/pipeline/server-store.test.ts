import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServer } from '../../src/store/server.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, digestOf, indexInto, rowCounts } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A ClickHouse server holds what the embedded engine holds. */

const GATEWAY = fileURLToPath(new URL('../support/run-gateway.ts', import.meta.url));

describe('a store on a server', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let gateway: ChildProcess;
  let url: string;
  let stores: StoreFactory;

  beforeAll(async () => {
    folder = await temporaryFolder();
    gateway = fork(GATEWAY, [folder.path], { execArgv: ['--import', 'tsx'] });
    url = await new Promise<string>((resolve, reject) => {
      gateway.once('message', (message) => resolve(String(message)));
      gateway.once('exit', (code) => reject(new Error(`the gateway ended with ${code}`)));
    });
    stores = await openServer({ url, database: 'strata' });
  }, 60_000);
  afterAll(async () => {
    await stores.close();
    const exited = new Promise((resolve) => gateway.once('exit', resolve));
    gateway.send('end');
    await exited;
    await folder.remove();
  });

  it('has the same digest after an interrupted run as the embedded one', async () => {
    const stop = new AbortController();
    await indexInto(stores, {
      signal: stop.signal,
      rangeBlocks: 10,
      commitBlocks: 10,
      onCommit: () => stop.abort(),
    }).catch(() => undefined);
    const commits = await indexInto(stores, { workers: 2 });
    expect(commits.at(-1)).toMatchObject({ firstHeight: 1, height: 501 });
    expect(await digestLines(stores)).toEqual(await digestOf({}));
    const { tables, checkpoint } = await rowCounts(stores);
    expect(checkpoint).toEqual(tables);
  }, 120_000);

  it('is repaired at start like the embedded one', async () => {
    const other = await openServer({ url, database: 'cut_short' });
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
    expect(await digestLines(other)).toEqual(await digestOf({ toHeight: 80 }));
    const { tables, checkpoint } = await rowCounts(other);
    expect(checkpoint).toEqual(tables);
    await other.close();
  }, 120_000);
});
