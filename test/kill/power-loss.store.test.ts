import { readdirSync, truncateSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { BAD_BLOCKS, RECONCILIATION_TABLES, SHARED_TABLES } from '../../src/core/tables.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { recoverStore } from '../../src/store/recovery.ts';
import { HEIGHT_TABLES } from '../../src/store/repair.ts';
import { identifier } from '../../src/store/sql.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { drawn } from '../support/full.ts';
import { indexInto, withStore } from '../support/indexing.ts';
import { printOf, type StorePrint, storePrint } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { partFolders, tableFolders } from './part-folders.ts';

/**
 * A power failure takes what the disk had not yet written: whole parts, or the content of their files. The next start
 * steps back to a checkpoint that is whole and goes on, or stops and names the table. `npm run test:full` has the newest
 * parts of tables that it draws, and the oldest parts of all.
 */
const DRAWN = 5;

/** Each a run of its own, so that it makes one part of each table that it has rows of. A loss has few blocks to do again. */
const COMMITS = [40, 250, 258];
const END = 258;
/** Typed events are at heights 57 and 58, and the first counts are sealed at 256. */
const ONE_PART = ['typed_events', 'account_tx_counts'];
/** Without rows here, as the recorded chain has no such modules: test/pipeline/rederive.store.test.ts loses theirs. */
const DERIVED = [...MODULES.flatMap(({ derivation }) => derivation?.tables ?? []), ...SHARED_TABLES].map(
  ({ name }) => name,
);
const BOOKKEEPING = ['checkpoints', 'cursor_keys', 'descriptor_sets', 'facts'];

vi.setConfig({ testTimeout: 120_000 });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let undisturbed: StorePrint;
let copies = 0;

beforeAll(async () => {
  folder = await temporaryFolder();
  const whole = join(folder.path, 'whole');
  for (const toHeight of COMMITS) await withStore(whole, (stores) => indexInto(stores, { toHeight }));
  undisturbed = await storePrint(whole);
}, 240_000);

afterAll(() => folder.remove());

/** A copy of the store, for a loss of its own. */
async function withCopy(use: (data: string) => Promise<void>): Promise<void> {
  const data = join(folder.path, `copy-${copies++}`);
  await copyFolder(join(folder.path, 'whole'), data);
  await use(data);
  await rm(data, { recursive: true });
}

function partsOf(data: string, table: string): string[] {
  const parts = partFolders(tableFolders(data).get(table) ?? '');
  expect(parts.length, `parts of ${table}`).toBeGreaterThan(0);
  return parts;
}

/** The store after the next start has done what is missing, and its warnings. */
function goOn(data: string): Promise<{ readonly print: StorePrint; readonly warnings: readonly string[] }> {
  return withStore(data, async (stores) => {
    const warnings: string[] = [];
    await indexInto(stores, { toHeight: END, warnings });
    return { print: await printOf(stores), warnings };
  });
}

/**
 * Descriptors that the chain is asked for again are the same, from another height on. That blocks fit their hashes is
 * proven again by the next blocks.
 */
function expectUndisturbed({ digest, tables }: StorePrint): void {
  const comparable = ({ descriptor_sets: _, facts = '', ...others }: StorePrint['tables']) => ({
    ...others,
    facts: facts.replace("('block_hashes_fit','yes'),", ''),
  });
  const { descriptor_sets } = tables;
  expect({ digest, tables: comparable(tables) }).toEqual({
    digest: undisturbed.digest,
    tables: comparable(undisturbed.tables),
  });
  expect(descriptor_sets).toMatch(/^\(1,1,/);
}

const steppedBack = (table: string) =>
  expect.stringMatching(
    new RegExp(`^table ${table} had \\d+ rows where .* counted \\d+: stepped back to height`),
  );

it('every table of the store is one of those that are taken from here', () => {
  const tables = [...tableFolders(join(folder.path, 'whole')).keys()];
  // what it loses is written again when the chain's height is asked
  // the recording has no bad blocks; checkpoints count theirs as those of any other table
  const known = [
    ...HEIGHT_TABLES,
    ...BOOKKEEPING,
    'source_heads',
    ...DERIVED,
    ...RECONCILIATION_TABLES.map(({ name }) => name),
    BAD_BLOCKS.name,
  ];
  expect(tables.filter((table) => !known.includes(table))).toEqual([]);
});

describe('a store that lost the newest part', () => {
  it.each(drawn(HEIGHT_TABLES, DRAWN))('of %s steps back, and goes on to the undisturbed store', (table) =>
    withCopy(async (data) => {
      await rm(partsOf(data, table).at(-1) ?? '', { recursive: true });
      const { print, warnings } = await goOn(data);
      expect(warnings).toEqual([steppedBack(table)]);
      expect(print).toEqual(undisturbed);
    }),
  );

  it.each(BOOKKEEPING)('of %s goes on to the undisturbed store', (table) =>
    withCopy(async (data) => {
      await rm(partsOf(data, table).at(-1) ?? '', { recursive: true });
      expectUndisturbed((await goOn(data)).print);
    }),
  );

  it('of every table at once goes on to the undisturbed store', () =>
    withCopy(async (data) => {
      for (const table of [...HEIGHT_TABLES, ...BOOKKEEPING]) {
        await rm(partsOf(data, table).at(-1) ?? '', { recursive: true });
      }
      expectUndisturbed((await goOn(data)).print);
    }));

  it.each(['blocks', 'txs_per_method'])('of %s by the engine itself steps back', (table) =>
    withCopy(async (data) => {
      const part = basename(partsOf(data, table).at(-1) ?? '');
      await withStore(data, async (stores) => {
        const store = await stores.open('loss');
        await store.command(`ALTER TABLE ${identifier(table)} DROP PART '${part}'`);
        await store.close();
      });
      const { print, warnings } = await goOn(data);
      expect(warnings).toEqual([steppedBack(table)]);
      expect(print).toEqual(undisturbed);
    }),
  );

  it.each(['txs', 'txs_by_method', 'checkpoints'])('of %s but for its empty files goes on', (table) =>
    withCopy(async (data) => {
      const part = partsOf(data, table).at(-1) ?? '';
      for (const name of readdirSync(part)) truncateSync(join(part, name));
      expect((await goOn(data)).print).toEqual(undisturbed);
    }),
  );
});

describe('a store that lost the oldest part', () => {
  const tables = HEIGHT_TABLES.filter((table) => !ONE_PART.includes(table));
  const damagedAt = (table: string) => ({
    code: 'store_damaged',
    message: expect.stringMatching(new RegExp(`^Table ${table} has \\d+ rows, and the checkpoint at height`)),
  });

  it.each(['blocks', 'txs_per_day'])('of %s stops and names it', (table) =>
    withCopy(async (data) => {
      await rm(partsOf(data, table)[0] ?? '', { recursive: true });
      await expect(goOn(data)).rejects.toMatchObject(damagedAt(table));
    }),
  );

  // the engine loses the part, and gets it back for the next table's loss
  it('of any table stops, names it and changes nothing', () =>
    withCopy(async (data) => {
      const oldest = tables.map((table) => [table, basename(partsOf(data, table)[0] ?? '')] as const);
      await withStore(data, async (stores) => {
        const store = await stores.open('loss');
        for (const [table, part] of oldest) {
          await store.command(`ALTER TABLE ${identifier(table)} DETACH PART '${part}'`);
          await expect(recoverStore(store), table).rejects.toMatchObject(damagedAt(table));
          await store.command(`ALTER TABLE ${identifier(table)} ATTACH PART '${part}'`);
        }
        await store.close();
        expect(await printOf(stores)).toEqual(undisturbed);
      });
    }));
});
