import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
import { writeFacts } from '../../src/store/facts.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, type IndexRun, indexInto, recordedSource } from '../support/indexing.ts';
import { changedSource, withBlockHash, withParentHash } from '../support/sources.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What indexing refuses, with the reason, and leaves the store as it was. The store holds heights 11 to 40. */

const OTHER_HASH = 'AB'.repeat(32);

describe('indexing', () => {
  let stores: StoreFactory;
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let recorded: BlockSource;
  let before: string[];

  beforeAll(async () => {
    recorded = await recordedSource();
    folder = await temporaryFolder();
    stores = await openTestStores(folder.path);
    await indexInto(stores, { fromHeight: 11, toHeight: 40 });
    before = await digestLines(stores);
    expect(before[0]).toMatch(/^11 40 /);
  });
  afterAll(async () => {
    await stores.close();
    await folder.remove();
    await recorded.close();
  });

  const refused = async (run: IndexRun, expected: object): Promise<void> => {
    await expect(indexInto(stores, run)).rejects.toMatchObject(expected);
    expect(await digestLines(stores)).toEqual(before);
  };

  it('refuses a chain id that is not the source’s', () =>
    refused(
      { chainId: 'other-1' },
      { code: 'chain_id_mismatch', message: 'the source serves chain 9001, not other-1' },
    ));

  it('refuses the store of another chain', () =>
    refused(
      { source: changedSource(recorded, { chainId: 'other-1' }) },
      {
        code: 'store_other_chain',
        message: expect.stringMatching(/holds chain 9001, and the source is of chain other-1/),
      },
    ));

  it('refuses --from below what the store holds, and above its end', async () => {
    await refused(
      { fromHeight: 10 },
      { code: 'config_invalid', message: expect.stringMatching(/--from 10 .* first height 11/) },
    );
    await refused(
      { fromHeight: 42 },
      { code: 'config_invalid', message: expect.stringMatching(/--from 42 .* ends at height 40/) },
    );
  });

  it('refuses to start where the node has pruned, and names the height to use', () =>
    refused(
      { source: changedSource(recorded, { earliestHeight: 101 }) },
      {
        code: 'height_pruned',
        height: 41,
        lowestHeight: 101,
        message: expect.stringContaining('start at 101'),
      },
    ));

  it('stops at a block whose parent is not the indexed one', () =>
    refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => (height === 41 ? withParentHash(line, OTHER_HASH) : line),
        }),
        toHeight: 60,
        verify: 'never',
      },
      {
        code: 'parent_mismatch',
        height: 41,
        message: expect.stringMatching(
          /block 41 .* block 40 is .* have the same block is 40, which is the newest/,
        ),
      },
    ));

  it('names the last block in common with a source of another branch, and the way back to it', () => {
    const hashAt = (height: number) => height.toString(16).padStart(64, 'E').toUpperCase();
    return refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => {
            const forked = height >= 31 ? withBlockHash(line, hashAt(height)) : line;
            return height > 31 ? withParentHash(forked, hashAt(height - 1)) : forked;
          },
        }),
        toHeight: 60,
        verify: 'never',
      },
      {
        code: 'parent_mismatch',
        height: 41,
        message: expect.stringMatching(
          /have the same block is 30: if the nodes are right, strata rewind --to 30 /,
        ),
      },
    );
  });

  it('stops at a recorded block that was changed', () =>
    refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => (height === 50 ? withBlockHash(line, OTHER_HASH) : line),
        }),
        toHeight: 60,
        verify: 'never',
      },
      {
        code: 'parent_mismatch',
        height: 51,
        message: expect.stringContaining(`but block 50 is ${OTHER_HASH}`),
      },
    ));

  it.each([
    ['hash', '"block_id":{"hash":"'],
    ['app hash', '"app_hash":"'],
    ['proposer', '"proposer_address":"'],
  ])('stops at a recorded block whose %s is not what its hash covers', (_what, before) =>
    refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => (height === 50 ? withOtherHex(line, before) : line),
        }),
        toHeight: 60,
      },
      { code: 'capture_invalid', message: expect.stringMatching(/block 50 is not the one that its hash/) },
    ),
  );

  it('stops at recorded results that the next block does not confirm', () =>
    refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => line.replaceAll(/("gas_used":")\d/g, height === 41 ? '$19' : '$&'),
        }),
        toHeight: 60,
      },
      { code: 'block_unusable', message: expect.stringMatching(/the results of block 41 are not those/) },
    ));

  it('stops at a recorded block that was cut short', () =>
    refused(
      {
        source: changedSource(recorded, {
          line: (height, line) => (height === 50 ? line.slice(0, line.length / 2) : line),
        }),
        toHeight: 60,
      },
      { code: 'capture_invalid', message: expect.stringContaining('50') },
    ));

  it('goes on where it was after all of that', async () => {
    await indexInto(stores, { fromHeight: 11, toHeight: 45 });
    expect((await digestLines(stores))[0]).toMatch(/^11 45 /);
  });

  it('refuses a store of a newer schema', async () => {
    const store = await stores.open('newer');
    await writeFacts(store, new Map([['schema_version', '9999']]));
    await store.close();
    await expect(indexInto(stores)).rejects.toMatchObject({
      code: 'store_newer_schema',
      message: expect.stringContaining('9999'),
    });
  });
});

/** The hex digit behind a key is another. */
function withOtherHex(line: string, before: string): string {
  const at = line.indexOf(before) + before.length;
  return `${line.slice(0, at)}${line[at] === '0' ? '1' : '0'}${line.slice(at + 1)}`;
}
