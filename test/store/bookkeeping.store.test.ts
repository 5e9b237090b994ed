import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Checkpoint,
  readChainHeight,
  readCheckpoint,
  replaceCheckpoint,
  writeChainHeight,
  writeCheckpoint,
} from '../../src/store/checkpoints.ts';
import { addDescriptorSet, readDescriptorSets, readFacts, writeFacts } from '../../src/store/facts.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

describe('facts and checkpoints', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());

  it('keep the newest value of each fact', async () => {
    const { store } = test;
    await writeFacts(
      store,
      new Map([
        ['chain_id', 'evmd_9-1'],
        ['note', "it's \\ \0 ☃"],
      ]),
    );
    await writeFacts(store, new Map([['chain_id', 'evmd_9-2']]));
    await writeFacts(store, new Map());
    const facts = await readFacts(store);
    expect([facts.get('chain_id'), facts.get('note')]).toEqual(['evmd_9-2', "it's \\ \0 ☃"]);
    await store.command('OPTIMIZE TABLE facts FINAL');
    expect(await readFacts(store)).toEqual(facts);
  });

  it('refuse facts that no statement can hold', async () => {
    await expect(writeFacts(test.store, new Map([['big', 'x'.repeat(300_000)]]))).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it('keep a descriptor set once an app version, in the order in which they came', async () => {
    const { store, factory } = test;
    const bytes = await readFile(join(packageRoot(), 'test/fixtures/evmd/descriptors.pb.gz'));
    const add = (appVersion: string, firstHeight: number, set: Uint8Array) =>
      addDescriptorSet(store, { appVersion, firstHeight, bytes: set }, factory.spoolFolder);
    await add('2', 500, Buffer.from([1, 2]));
    await add('', 1, bytes);
    await add('', 700, bytes);
    await add('', 800, Buffer.from([3]));
    const sets = await readDescriptorSets(store);
    expect(sets.map((set) => [set.appVersion, set.firstHeight, set.bytes.length])).toEqual([
      ['2', 500, 2],
      ['', 1, bytes.length],
      ['', 800, 1],
    ]);
    expect(Buffer.from(sets[1]?.bytes ?? []).equals(bytes)).toBe(true);
  });

  it('give back the newest checkpoint', async () => {
    const { store } = test;
    expect(await readCheckpoint(store)).toBeUndefined();
    const first: Checkpoint = {
      height: 10,
      firstHeight: 1,
      blockHash: 'AB'.repeat(32),
      blockTimeNs: 1_700_000_000_123_456_789n,
      chainHeight: 12,
      rows: new Map(),
      generations: new Map(),
      tableGenerations: new Map(),
    };
    const second: Checkpoint = {
      ...first,
      height: 2_000,
      blockHash: 'CD'.repeat(32),
      generations: new Map([['attestation', 1]]),
      tableGenerations: new Map([['attestations', 1]]),
      rows: new Map([
        ['blocks', 2_000],
        ['txs', 5],
      ]),
    };
    await writeCheckpoint(store, first);
    expect(await readCheckpoint(store)).toEqual(first);
    await writeCheckpoint(store, second);
    expect(await readCheckpoint(store)).toEqual(second);
    // one that takes its place, though the clock may have gone back since
    for (const generation of [2, 3]) {
      const other = { ...second, generations: new Map([['attestation', generation]]) };
      await replaceCheckpoint(store, other);
      expect(await readCheckpoint(store)).toEqual(other);
    }
    await expect(writeCheckpoint(store, { ...first, blockHash: '00' })).rejects.toMatchObject({
      code: 'internal',
    });
  });

  it("follow the chain's height, which never falls", async () => {
    const { store } = test;
    expect(await readChainHeight(store)).toBeUndefined();
    for (const height of [5, 9, 7]) await writeChainHeight(store, height);
    expect(await readChainHeight(store)).toBe(9);
  });
});
