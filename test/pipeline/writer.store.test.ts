import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { DecodedRange } from '../../src/decode/range.ts';
import { createWriter, type Writer } from '../../src/pipeline/writer.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import { dumpSchema } from '../../src/store/migrations.ts';
import { countRows, HEIGHT_TABLES } from '../../src/store/repair.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { recordedRange } from '../support/decoded.ts';
import { withFreshStore } from '../support/indexing.ts';

/** The writer alone, with what may happen to it from outside. */

const LIMITS = { commitBlocks: 10, commitBytes: 64_000_000, commitMs: 60_000 };

async function openWriter(
  stores: StoreFactory,
  session: string,
  isDurable = false,
): Promise<{ readonly writer: Writer; readonly store: Store; readonly failures: unknown[] }> {
  const store = await stores.open(session);
  const failures: unknown[] = [];
  const setup = { spoolFolder: `${stores.spoolFolder}/${session}`, limits: LIMITS, isDurable };
  const writer = createWriter({
    store,
    setup,
    onCommit: () => undefined,
    onFailure: (error) => failures.push(error),
  });
  await writer.open();
  return { writer, store, failures };
}

async function commit(writer: Writer, range: DecodedRange): Promise<void> {
  writer.accept(range, 501, true);
  await writer.finish();
}

describe('two writers on one store', () => {
  it.each([
    ['the other is ahead', 20],
    ['the other has written the same', 10],
  ])('the second one stops when %s', (_case, otherHeight) =>
    withFreshStore(async (stores) => {
      const one = await openWriter(stores, 'one');
      const two = await openWriter(stores, 'two');
      await commit(one.writer, recordedRange(1, otherHeight));
      const before = await countRows(one.store, HEIGHT_TABLES);
      const late = commit(two.writer, recordedRange(1, 10));
      await expect(late).rejects.toMatchObject({
        code: 'store_in_use',
        message: expect.stringContaining(`height ${otherHeight}`),
      });
      expect(await countRows(two.store, HEIGHT_TABLES)).toEqual(before);
      await one.store.close();
      await two.store.close();
    }),
  );

  it('that were at one height both stop', () =>
    withFreshStore(async (stores) => {
      const one = await openWriter(stores, 'one');
      const two = await openWriter(stores, 'two');
      await commit(one.writer, recordedRange(1, 10));
      // the second one had looked just before the first one wrote
      await two.store.command('INSERT INTO checkpoints SELECT * FROM checkpoints');
      const next = commit(one.writer, recordedRange(11, 20));
      await expect(next).rejects.toMatchObject({ code: 'store_in_use' });
      await one.store.close();
      await two.store.close();
    }));
});

describe('a writer that is alone', () => {
  it('counts all tables in its first commit, and looks for other writers in none', () =>
    withFreshStore(async (stores) => {
      const session = await stores.open('alone');
      const asked: string[] = [];
      const store: Store = {
        ...session,
        query: (sql, options) => {
          asked.push(sql);
          return session.query(sql, options);
        },
      };
      const setup = {
        spoolFolder: `${stores.spoolFolder}/alone`,
        limits: LIMITS,
        isAlone: true,
      };
      const fail = (error: unknown): never => {
        throw error;
      };
      const writer = createWriter({ store, setup, onCommit: () => undefined, onFailure: fail });
      await writer.open();
      asked.length = 0;
      await commit(writer, recordedRange(1, 10));
      await commit(writer, recordedRange(11, 20));
      expect(asked.filter((sql) => /FROM checkpoints/.test(sql))).toEqual([]);
      expect(asked.filter((sql) => /FROM `blocks` UNION ALL/i.test(sql.replace(/\s+/g, ' ')))).toHaveLength(
        1,
      );
      expect((await readCheckpoint(session))?.height).toBe(20);
    }));
});

describe('rows that came between repair and checkpoint', () => {
  it('never get into a checkpoint, and are gone after the next start', () =>
    withFreshStore(async (stores) => {
      const { writer, store } = await openWriter(stores, 'one');
      await commit(writer, recordedRange(1, 10));
      const next = await openWriter(stores, 'two');
      // an insert of a killed process, of which nobody knows
      await store.command("INSERT INTO account_txs (account, height) VALUES ('a', 11)");
      await expect(commit(next.writer, recordedRange(11, 20))).rejects.toMatchObject({
        code: 'store_in_use',
        message: expect.stringContaining('table account_txs has'),
      });
      expect((await readCheckpoint(store))?.height).toBe(10);
      const last = await openWriter(stores, 'three');
      await commit(last.writer, recordedRange(11, 20));
      expect((await readCheckpoint(store))?.height).toBe(20);
    }));
});

describe('a durable writer', () => {
  const fail = (error: unknown): never => {
    throw error;
  };
  const FSYNC = /fsync_after_insert = 1, fsync_part_directory = 1/g;

  it('has every table of the store wait for the disk, until one that is not takes it back', () =>
    withFreshStore(async (stores) => {
      const store = await stores.open('durable');
      const open = async (isDurable: boolean): Promise<string> => {
        const setup = { spoolFolder: `${stores.spoolFolder}/durable`, limits: LIMITS, isDurable };
        const writer = createWriter({ store, setup, onCommit: () => undefined, onFailure: fail });
        await writer.open();
        return dumpSchema(store);
      };
      const schema = await open(false);
      expect(schema).not.toMatch(FSYNC);
      const durable = await open(true);
      expect(durable.match(FSYNC)).toHaveLength(durable.match(/ENGINE = \w*MergeTree/g)?.length ?? 0);
      const { writer } = await openWriter(stores, 'again', true);
      await commit(writer, recordedRange(1, 10));
      expect((await readCheckpoint(store))?.height).toBe(10);
      expect(await open(false)).toBe(schema);
      await store.close();
    }));
});

describe('a writer far behind the head', () => {
  it('has bulk tables merged less often, and leaves them to the engine when it ends', () =>
    withFreshStore(async (stores) => {
      const { writer, store } = await openWriter(stores, 'behind');
      const schema = await dumpSchema(store);
      writer.accept(recordedRange(1, 10), 1_000_000, true);
      await expect.poll(() => dumpSchema(store), { timeout: 60_000 }).toContain('min_parts_to_merge_at_once');
      await writer.finish();
      expect(await dumpSchema(store)).toBe(schema);
      await store.close();
    }));
});

describe('a disk on which a range cannot be written whole', () => {
  it('ends the writer; nothing of the commit in hand is kept', () =>
    withFreshStore(async (stores) => {
      const { writer, store } = await openWriter(stores, 'full');
      const range = recordedRange(1, 10);
      // the tables without a file yet cannot get one
      const [blocks, ...others] = range.tables;
      if (blocks === undefined) throw new Error('no tables');
      writer.accept({ ...range, headers: range.headers.slice(0, 5), tables: [blocks] }, 501, false);
      const folder = `${stores.spoolFolder}/full`;
      expect(readdirSync(folder)).toHaveLength(1);
      await rm(folder, { recursive: true });
      const rest = { ...range, headers: range.headers.slice(5), tables: [blocks, ...others] };
      const failed = expect.objectContaining({
        code: 'store_query_failed',
        message: expect.stringContaining('ENOENT'),
      });
      writer.accept(rest, 501, true);
      await expect(writer.finish()).rejects.toEqual(failed);
      expect(() => writer.accept(rest, 501, true)).toThrow(failed);
      expect(await readCheckpoint(store)).toBeUndefined();
      expect([...(await countRows(store, HEIGHT_TABLES)).values()].every((rows) => rows === 0)).toBe(true);
      await store.close();
    }));
});
