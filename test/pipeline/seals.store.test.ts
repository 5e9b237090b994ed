import { describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { createWriter } from '../../src/pipeline/writer.ts';
import { SEAL_SPANS } from '../../src/store/seals.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { recordedRange } from '../support/decoded.ts';
import { indexInto, rowCounts, withFreshStore, withStore } from '../support/indexing.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** Sealed counts as commits make them: after a kill. */

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

async function openWriter(store: Store, stores: StoreFactory) {
  const setup = {
    spoolFolder: `${stores.spoolFolder}/writer`,
    limits: { commitBlocks: 1_000, commitBytes: 64_000_000, commitMs: 60_000 },
  };
  const writer = createWriter({
    store,
    setup,
    onCommit: () => undefined,
    onFailure: () => undefined,
    // as indexInto has them: a writer without modules takes them out of the checkpoint
    derive: {
      derivations: MODULES.flatMap(({ derivation }) => derivation ?? []),
      parameters: { namespace: 'aeva' },
    },
  });
  await writer.open();
  return writer;
}

describe('sealed counts', () => {
  it.each([
    ['commits that end at the range, and one that does not complete it', [100, 256, LAST]],
    ['a commit across the end of the range', [200, LAST]],
  ])('are those of the rows after %s', (_case, heights) =>
    withFreshStore(async (stores) => {
      for (const toHeight of heights) await indexInto(stores, { toHeight });
      await expectSealed(stores);
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
});
