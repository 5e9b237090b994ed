import { chainSection } from 'strata-devnet/chain-section';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { MODULES } from '../../src/modules/modules.ts';
import type { Indexing } from '../../src/pipeline/indexing.ts';
import { createWriter, type Writer } from '../../src/pipeline/writer.ts';
import { type Checkpoint, readCheckpoint, replaceCheckpoint } from '../../src/store/checkpoints.ts';
import { deepDigests } from '../../src/store/deep-digests.ts';
import { countedRows } from '../../src/store/generations.ts';
import { rewindStore } from '../../src/store/recovery.ts';
import { countRows } from '../../src/store/repair.ts';
import type { Store } from '../../src/store/store.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';
import { printOf, type StorePrint } from '../support/store-print.ts';

/** Derived state is made again from what is stored: after a loss, for a module that is new, and when somebody asks. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const BLOCKS = 120;
const DERIVATIONS = MODULES.flatMap(({ derivation }) => derivation ?? []);
const DERIVED = [
  ...DERIVATIONS.flatMap(({ tables }) => tables.map(({ name }) => name)),
  'drift',
  'module_digests',
];

let index: IndexedDevnet;
let store: Store;
let before: StorePrint;
let deepBefore: readonly string[];
let further: readonly string[];

beforeAll(async () => {
  index = await openDevnetIndex({ blocks: BLOCKS });
  // a second commit, so that there is an older checkpoint to step back to
  await index.goOn(20);
  store = await index.api.stores.open('test');
  before = await printOf(index.api.stores);
  deepBefore = await deepLines();
});
afterAll(() => index.close());

async function deepLines(): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { fromHeight, toHeight, sha256 } of deepDigests(store)) {
    lines.push(`${fromHeight} ${toHeight} ${sha256}`);
  }
  return lines;
}

async function newest(): Promise<Checkpoint> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) throw new Error('the store is empty');
  return checkpoint;
}

async function openWriter(derivations = DERIVATIONS): Promise<{
  readonly writer: Writer;
  readonly opened: Awaited<ReturnType<Writer['open']>>;
}> {
  const limits = { commitBlocks: 50, commitBytes: 64_000_000, commitMs: 60_000 };
  const setup = { spoolFolder: `${index.api.stores.spoolFolder}/again`, limits, dropAfterMs: 0 };
  const writer = createWriter({
    store,
    setup,
    onCommit: () => undefined,
    onFailure: fail,
    derive: { derivations, parameters: { namespace: 'aeva' } },
  });
  return { writer, opened: await writer.open() };
}

/** What the last block's results come to is known again with the next commit. */
function comparable({ digest, tables: { facts: _, ...tables } }: StorePrint): object {
  return { digest, tables };
}

/** Everything that is derived is as it was, and nothing of another generation is left. */
async function expectAsBefore(): Promise<void> {
  expect(comparable(await printOf(index.api.stores))).toEqual(comparable(before));
  const checkpoint = await newest();
  const whole = await countRows(store, DERIVED);
  expect(whole).toEqual(await countRows(store, DERIVED, (table) => countedRows(checkpoint, table)));
  expect(Math.max(...whole.values())).toBeGreaterThan(0);
}

it('all modules are derived again into a generation of their own, and nothing else changes', async () => {
  const { writer } = await openWriter();
  const was = await newest();
  const report = await writer.rederive();
  expect(report).toMatchObject({ generation: 2, height: BLOCKS + 20, blocks: BLOCKS + 20 });
  const { generations, rows } = await newest();
  expect(new Set(generations.values())).toEqual(new Set([2]));
  const counted = (map: ReadonlyMap<string, number>) => new Map([...map].filter(([, count]) => count > 0));
  expect(counted(rows)).toEqual(counted(was.rows));
  await expectAsBefore();
  // later on the prints of all rows are enough
  expect(await deepLines()).toEqual(deepBefore);
});

it('one module is derived again, while the others stay', async () => {
  const { writer } = await openWriter();
  await writer.rederive('attestation');
  const { generations } = await newest();
  expect(generations.get('attestation')).toBe(3);
  expect(generations.get('rights')).toBe(2);
  await expectAsBefore();
});

it('a module that others read is not derived by itself, nor is one that there is not', async () => {
  const { writer } = await openWriter();
  await expect(writer.rederive('rights')).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringMatching(/^module rights cannot be derived by itself, as .*payout/),
  });
  await expect(writer.rederive('right')).rejects.toMatchObject({ code: 'config_invalid' });
  await expectAsBefore();
});

it('the writer goes on behind it, with what came meanwhile', async () => {
  const { writer } = await openWriter();
  const running = writer.rederive();
  await expect(writer.rederive()).rejects.toMatchObject({ code: 'store_busy' });
  await running;
  await writer.finish();
  await index.goOn(10);
  further = (await printOf(index.api.stores)).digest;
  await rewindStore(store, BLOCKS + 20);
  await expectAsBefore();
});

it('a store that names no modules gets them when it is opened', async () => {
  const checkpoint = await newest();
  const facts = [...checkpoint.rows].filter(([table]) => !DERIVED.includes(table));
  const none = { generations: new Map(), tableGenerations: new Map(), rows: new Map(facts) };
  await replaceCheckpoint(store, { ...checkpoint, ...none });
  const { opened } = await openWriter();
  expect(opened.rederived?.modules).toEqual(DERIVATIONS.map(({ module }) => module));
  await expectAsBefore();
});

it('a module that went and comes again is derived, with the feeds of all and nothing else', async () => {
  const without = await openWriter(DERIVATIONS.filter(({ module }) => module !== 'attestation'));
  expect(without.opened.rederived?.modules).toEqual(['activity']);
  expect((await newest()).generations.has('attestation')).toBe(false);
  expect((await countRows(store, ['attestations'])).get('attestations')).toBe(0);
  const { opened } = await openWriter();
  expect(opened.stepBack).toBeUndefined();
  expect(opened.rederived?.modules).toEqual(['attestation', 'activity']);
  await expectAsBefore();
});

it('what a killed re-derivation has left is dropped', async () => {
  await store.command('INSERT INTO attestations SELECT * REPLACE (99 AS generation) FROM attestations');
  await store.command('INSERT INTO module_digests SELECT * REPLACE (99 AS generation) FROM module_digests');
  await openWriter();
  await expectAsBefore();
});

it.each(['attestations', 'module_digests'])('rows of %s that are lost are derived again', async (table) => {
  await store.command(
    `DELETE FROM ${table} WHERE height = (SELECT min(height) FROM ${table}) SETTINGS lightweight_deletes_sync = 2`,
  );
  const { opened } = await openWriter();
  expect(opened.stepBack?.table).toBe(table);
  expect(opened.rederived).toBeDefined();
  await expectAsBefore();
});

it('an older commit is gone back to after a re-derivation', async () => {
  const { writer } = await openWriter();
  await writer.rederive();
  const { checkpoint } = await rewindStore(store, BLOCKS + 19);
  expect(checkpoint.height).toBeLessThan(BLOCKS + 20);
  const { opened } = await openWriter();
  expect(opened).toMatchObject({ deletedRows: 0, stepBack: undefined });
  expect(opened.rederived).toBeUndefined();
  await index.api.indexTo(BLOCKS + 20, undefined, index.source);
  await expectAsBefore();
});

/** These open stores of their own, and a process has one at a time. */
describe('other stores of the chain', () => {
  beforeAll(() => index.api.close());

  it('have the same digests, however they were filled', () =>
    withFreshStore(async (stores) => {
      const parameters = chainSection(index.devnet.app.parameters);
      const run = { source: index.source, toHeight: BLOCKS + 30, parameters };
      await indexInto(stores, { ...run, workers: 4, rangeBlocks: 7, commitBlocks: 21 });
      expect((await printOf(stores)).digest).toEqual(further);
    }));

  it.each([
    [false, 'off', DERIVATIONS.filter(({ layer }) => layer === 'base')],
    [true, 'forced', DERIVATIONS],
  ])('that begin later have modules only where they are forced: %s', (forceModules, modules, derived) =>
    withFreshStore(async (stores) => {
      const states: string[] = [];
      const parameters = chainSection(index.devnet.app.parameters);
      const run = { source: index.source, fromHeight: 10, forceModules, parameters };
      await indexInto(stores, { ...run, toHeight: 40 });
      const onOpen = (indexing: Indexing) => states.push(indexing.modules());
      await indexInto(stores, { ...run, toHeight: 60, onOpen });
      expect(states).toEqual([modules]);
      const session = await stores.open('check');
      const names = derived.map(({ module }) => module);
      expect([...((await readCheckpoint(session))?.generations.keys() ?? [])].sort()).toEqual(names.sort());
      const told = new RowReader(await session.query('SELECT DISTINCT toString(module) FROM module_digests'));
      const digested: string[] = [];
      while (!told.done) digested.push(told.string());
      expect(digested).toContain('dex');
      expect(digested.includes('rights')).toBe(forceModules);
      await session.close();
    }),
  );
});

function fail(error: unknown): void {
  throw error;
}
