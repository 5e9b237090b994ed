import { describe, expect, it } from 'vitest';
import { DESCRIPTORS_PATH } from '../../src/chain/capture/format.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { readCoverage } from '../../src/store/coverage.ts';
import { indexInto, recordedSource, withFreshStore } from '../support/indexing.ts';

const MIDDLE = 58;
const END = 62;

describe('the coverage of a store', () => {
  it('tells what is decoded by type and range of heights', () =>
    withFreshStore(async (stores) => {
      const recorded = await recordedSource();
      const undescribed: BlockSource = {
        ...recorded,
        abciQuery: async (path, data, height) =>
          path === DESCRIPTORS_PATH
            ? { code: 6, log: 'unknown query path', height: 0, value: new Uint8Array() }
            : recorded.abciQuery(path, data, height),
      };
      const store = await stores.open('look');
      const all = { fromHeight: undefined, toHeight: undefined };
      await indexInto(stores, { source: undescribed, toHeight: MIDDLE });
      const { value } = await recorded.abciQuery(DESCRIPTORS_PATH, new Uint8Array());
      await indexInto(stores, { source: undescribed, toHeight: END, givenDescriptors: [value] });

      const sent = async (heights: string): Promise<number> =>
        new RowReader(await store.query(`SELECT sum(msg_count) FROM txs WHERE ${heights}`)).u64();
      const before = await readCoverage(store, { fromHeight: undefined, toHeight: MIDDLE });
      expect(before).toMatchObject({ fromHeight: 1, toHeight: MIDDLE, badBlocks: 0 });
      expect(before.messages).toEqual({ seen: await sent(`height <= ${MIDDLE}`), decoded: 0 });
      // the recording's first grants are at height 57
      expect(before.events).toEqual({ seen: 4, decoded: 0 });
      // they are read without descriptors
      expect(before.ethereum.decoded).toBe(before.ethereum.seen);
      expect(before.ethereum.seen).toBeGreaterThan(50);

      const after = await readCoverage(store, { fromHeight: MIDDLE + 1, toHeight: 1_000_000 });
      const sentAfter = await sent(`height > ${MIDDLE}`);
      expect(sentAfter).toBeGreaterThan(0);
      expect(after).toMatchObject({ fromHeight: MIDDLE + 1, toHeight: END });
      expect(after.messages).toEqual({ seen: sentAfter, decoded: sentAfter });

      const whole = await readCoverage(store, all);
      expect(whole.messages).toEqual({ seen: before.messages.seen + sentAfter, decoded: sentAfter });
      const [first] = whole.types;
      expect(first).toMatchObject({ kind: 'message', firstHeight: 32 });
      expect(first?.decoded).toBeLessThan(first?.seen ?? 0);
      await expect(readCoverage(store, { fromHeight: END + 1, toHeight: undefined })).rejects.toMatchObject({
        code: 'config_invalid',
        message: `the store holds heights 1 to ${END}, none of those asked for`,
      });
      await store.close();
      await recorded.close();
    }));

  it('of an empty store is an error', () =>
    withFreshStore(async (stores) => {
      const store = await stores.open('look');
      const all = { fromHeight: undefined, toHeight: undefined };
      await expect(readCoverage(store, all)).rejects.toMatchObject({ code: 'store_empty' });
      await store.close();
    }));
});
