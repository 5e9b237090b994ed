import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TableBuilder } from '../../src/core/native.ts';
import { HEIGHT_DIGESTS } from '../../src/core/tables.ts';
import { readCheckpoint, writeCheckpoint } from '../../src/store/checkpoints.ts';
import type { ClusterOptions } from '../../src/store/cluster.ts';
import { addDescriptorSet, readDescriptorSets, readFacts, writeFacts } from '../../src/store/facts.ts';
import { dumpSchema, migrate } from '../../src/store/migrations.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { HEIGHT_TABLES, repairAboveCheckpoint } from '../../src/store/repair.ts';
import { openServer } from '../../src/store/server.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { ENGINE_PASSWORD, type EngineUnderTest, startEngine } from '../support/engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** The embedded store, and a server: `strata engine` over another folder. */
describe('the store on a server', () => {
  let test: TestStore;
  let engine: EngineUnderTest;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let factory: StoreFactory;
  let server: Store;

  beforeAll(async () => {
    test = await openTestStore({ migrated: false });
    await migrate(test.store);
    folder = await temporaryFolder();
    engine = await startEngine(folder.path);
    factory = await openServer({ ...engine, database: 'strata' });
    server = await factory.open('test');
    await migrate(server);
  });
  afterAll(async () => {
    await factory.close();
    await engine.stop();
    await folder.remove();
    await test.close();
  });

  it('has the same schema in the database that it created', async () => {
    expect(await dumpSchema(server)).toBe(await dumpSchema(test.store));
  });

  it('gives the same bytes as the embedded store after the same calls', async () => {
    const descriptors = await readFile(join(packageRoot(), 'test/fixtures/evmd/descriptors.pb.gz'));
    const builder = new TableBuilder(HEIGHT_DIGESTS);
    const paths: string[] = [];
    for (const file of [0, 1, 2]) {
      for (let height = file * 50_000; height < (file + 1) * 50_000; height++) {
        builder.columns.height.u64(height);
        builder.columns.digest.fixed(new Uint8Array(32).fill(height % 251));
        builder.rows++;
      }
      const path = join(factory.spoolFolder, `${file}.native`);
      await writeFile(path, builder.finish());
      paths.push(path);
    }
    for (const store of [test.store, server]) {
      await writeFacts(store, new Map([['chain_id', "evmd'9"]]));
      await addDescriptorSet(
        store,
        { appVersion: '', firstHeight: 1, bytes: descriptors },
        factory.spoolFolder,
      );
      await store.insertNativeFiles('height_digests', ['height', 'digest'], paths);
      await repairAboveCheckpoint(store, HEIGHT_TABLES, 140_000);
      await writeCheckpoint(store, {
        height: 140_000,
        firstHeight: 0,
        blockHash: '0A'.repeat(32),
        blockTimeNs: -1n,
        chainHeight: 150_000,
        rows: new Map([['height_digests', 140_001]]),
        generations: new Map(),
        tableGenerations: new Map(),
      });
    }
    const [embedded, remote] = await Promise.all(
      [test.store, server].map(async (store) => ({
        digests: Buffer.from(await store.query('SELECT * FROM height_digests ORDER BY height')).toString(
          'hex',
        ),
        parts: Buffer.from(await store.query('SELECT uniqExact(_part) FROM height_digests')).toString('hex'),
        facts: await readFacts(store),
        sets: await readDescriptorSets(store),
        checkpoint: await readCheckpoint(store),
      })),
    );
    expect(remote).toEqual(embedded);
    expect(remote?.digests.length).toBe(140_001 * 40 * 2);
    expect(remote?.checkpoint?.rows).toEqual(new Map([['height_digests', 140_001]]));
  });

  it('names ClickHouse’s error and never the password', async () => {
    const refused = openServer({ ...engine, password: 'wrong-password', database: 'strata' });
    const error: unknown = await refused.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'store_query_failed', message: expect.stringContaining('516') });
    expect(String(error)).not.toContain('wrong-password');
    expect(String(error)).not.toContain(ENGINE_PASSWORD);
    await expect(server.query('SELECT * FROM nowhere')).rejects.toMatchObject({
      code: 'store_query_failed',
      message: expect.stringContaining('60 UNKNOWN_TABLE'),
    });
    await expect(server.insertNativeFiles('nowhere', ['a'], [])).resolves.toBeUndefined();
  });

  it('stops a query at its time limit', async () => {
    const endless = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
    await expect(server.query(endless, { timeoutSeconds: 1 })).rejects.toMatchObject({
      message: expect.stringContaining('159 TIMEOUT_EXCEEDED'),
    });
  });

  it('says store_unreachable when a file of an insert is missing', async () => {
    await expect(server.insertNativeFiles('txs', ['height'], ['/nowhere/txs.native'])).rejects.toMatchObject({
      code: 'store_unreachable',
    });
    await server.query('SELECT 1');
  });
});

describe('a server of a cluster', () => {
  it('runs lists of what other Distributed tables hold once, for every shard', async () => {
    const asked: URL[] = [];
    const server = createServer((request, response) => {
      asked.push(new URL(request.url ?? '', 'http://127.0.0.1'));
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const modes = async (cluster?: ClusterOptions) => {
      asked.length = 0;
      const stores = await openServer({ url: `http://127.0.0.1:${port}`, database: 'strata', cluster });
      await (await stores.open('test')).query('SELECT 1');
      await stores.close();
      return asked.at(-1)?.searchParams.get('distributed_product_mode');
    };
    // deny, the default, refuses (height, tx_index) IN (SELECT … FROM txs) over typed_events
    expect(await modes({ cluster: 'main', isReplicated: false })).toBe('global');
    expect(await modes()).toBeNull();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('a server that is none', () => {
  it('is unreachable when it does not answer in time', async () => {
    let asked = 0;
    const silent = createServer((_request, response) => {
      if (asked++ === 0) response.end();
    });
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const stores = await openServer({ url: `http://127.0.0.1:${port}`, database: 'strata' });
    const store = await stores.open('test');
    await expect(store.query('SELECT 1', { timeoutSeconds: 1 })).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('no answer within 6000 ms'),
    });
    await stores.close();
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it('is unreachable when it refuses the connection', async () => {
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    await expect(openServer({ url: `http://127.0.0.1:${port}`, database: 'strata' })).rejects.toMatchObject({
      code: 'store_unreachable',
      retryable: true,
      message: expect.stringContaining(`127.0.0.1:${port}`),
    });
  });
});
