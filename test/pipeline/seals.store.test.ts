import { systemClock } from 'strata-kit/clock';
import { describe, expect, it } from 'vitest';
import { openChainState } from '../../src/api/state.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { createWriter } from '../../src/pipeline/writer.ts';
import { SEAL_SPANS } from '../../src/store/seals.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { recordedRange } from '../support/decoded.ts';
import { indexInto, rowCounts, withFreshStore, withStore } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** Sealed counts as commits make them: after a kill, and in a store that was begun without them. */

/** The recording completes one range, at 256. */
const LAST = 300;

async function read(stores: StoreFactory, sql: string): Promise<string[]> {
  const store = await stores.open('read');
  const rows = new RowReader(await store.query(sql));
  const found: string[] = [];
  while (!rows.done) found.push(rows.string());
  await store.close();
  return found;
}

const SEALED =
  'SELECT toString(tuple(account, span, height, method, txs)) FROM account_tx_counts ORDER BY account, span, height, method';
const RAW =
  `SELECT toString(tuple(account, toUInt32(${SEAL_SPANS.narrow}), toUInt64(${SEAL_SPANS.narrow}), method, count())) ` +
  `FROM account_txs WHERE height <= ${SEAL_SPANS.narrow} GROUP BY account, method ORDER BY account, method`;

async function expectSealed(stores: StoreFactory): Promise<void> {
  const sealed = await read(stores, SEALED);
  expect(sealed.length).toBeGreaterThan(20);
  expect(sealed).toEqual(await read(stores, RAW));
  const { tables, checkpoint } = await rowCounts(stores);
  expect(checkpoint).toEqual(tables);
}

async function hasSealedCounts(stores: StoreFactory): Promise<boolean> {
  const store = await stores.open('state');
  const reportError = (error: unknown) => {
    throw error;
  };
  const state = await openChainState({ store, clock: systemClock, pollMs: 60_000, reportError });
  const { hasSealedCounts: found } = state.current();
  await state.close();
  await store.close();
  return found;
}

async function openWriter(store: Store, stores: StoreFactory) {
  const setup = {
    spoolFolder: `${stores.spoolFolder}/writer`,
    limits: { commitBlocks: 1_000, commitBytes: 64_000_000, commitMs: 60_000 },
  };
  const writer = createWriter(
    store,
    setup,
    () => undefined,
    () => undefined,
    undefined,
    // as indexInto has them: a writer without modules takes them out of the checkpoint
    { derivations: MODULES.flatMap(({ derivation }) => derivation ?? []), parameters: { namespace: 'aeva' } },
  );
  await writer.open();
  return writer;
}

/** As the first schema left it: no table of counts, and no word of them in the checkpoints. */
async function takeBackToFirstSchema(stores: StoreFactory): Promise<void> {
  const store = await stores.open('back');
  for (const sql of [
    'DROP TABLE account_tx_counts SYNC',
    "ALTER TABLE checkpoints UPDATE rows = mapFilter((k, v) -> k != 'account_tx_counts', rows) WHERE 1 SETTINGS mutations_sync = 2",
    "DELETE FROM facts WHERE key = 'schema_version' AND version > 1 SETTINGS lightweight_deletes_sync = 2",
  ]) {
    await store.command(sql);
  }
  await store.close();
}

describe('sealed counts', () => {
  it.each([
    ['commits that end at the range, and one that does not complete it', [100, 256, LAST]],
    ['a commit across the end of the range', [200, LAST]],
  ])('are those of the rows after %s', (_case, heights) =>
    withFreshStore(async (stores) => {
      for (const toHeight of heights) await indexInto(stores, { toHeight });
      await expectSealed(stores);
      expect(await hasSealedCounts(stores)).toBe(true);
    }),
  );

  it('are those of the rows after one commit', async () => {
    const folder = await temporaryFolder();
    await copyRecordedStore(`${folder.path}/store`);
    await withStore(`${folder.path}/store`, expectSealed);
    await folder.remove();
  });

  it('of a commit that died before its checkpoint go and come again', () =>
    withFreshStore(async (stores) => {
      await indexInto(stores, { toHeight: 250 });
      const store = await stores.open('writer');
      const dying: Store = {
        ...store,
        command: (sql) =>
          sql.includes('INTO checkpoints') ? Promise.reject(new Error('killed')) : store.command(sql),
      };
      const writer = await openWriter(dying, stores);
      writer.accept(recordedRange(251, LAST), LAST, true);
      await expect(writer.finish()).rejects.toThrow('killed');
      expect((await read(stores, SEALED)).length).toBeGreaterThan(20);
      await openWriter(store, stores);
      expect(await read(stores, SEALED)).toEqual([]);
      await store.close();
      await indexInto(stores, { toHeight: LAST });
      await expectSealed(stores);
    }));

  it('are made by the next start of a store of the first schema, and counted by its next commit', () =>
    withFreshStore(async (stores) => {
      await indexInto(stores, { toHeight: LAST });
      await takeBackToFirstSchema(stores);
      expect(await hasSealedCounts(stores)).toBe(false);
      const store = await stores.open('writer');
      for (let start = 0; start < 2; start++) {
        // the second start finds what the first one made, and no checkpoint that counts it
        await openWriter(store, stores);
        expect(await read(stores, SEALED)).toEqual(await read(stores, RAW));
        expect(await hasSealedCounts(stores)).toBe(false);
      }
      await store.close();
      await indexInto(stores, { toHeight: LAST + 10 });
      expect(await hasSealedCounts(stores)).toBe(true);
      await expectSealed(stores);
    }));
});
