import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/database/database.ts';
import { MIGRATIONS } from '../../../src/database/migrations.ts';
import { DATABASES, sqliteFile, type TestDatabase } from '../support/databases.ts';

describe.each(DATABASES)('the app database in %s', (_, make) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await make();
  });
  afterEach(() => database.remove());

  const ROW = {
    meta_hash: 'ab'.repeat(32),
    document: '{"a":"\\u0000 😀 \'"}',
    created_at_ms: 1_790_000_000_000,
  };

  it('has its tables after the first start, and what was written after the second', async () => {
    const first = await openDatabase(database.choice);
    await first.insertInto('launchpad_documents').values(ROW).execute();
    await first.destroy();

    const second = await openDatabase(database.choice);
    expect(await second.selectFrom('launchpad_documents').selectAll().execute()).toEqual([ROW]);
    await second.destroy();
  });

  it('makes them once', async () => {
    for (let start = 1; start <= 3; start++) {
      const db = await openDatabase(database.choice);
      const made = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
      expect(made.rows.map(({ name }) => name)).toEqual(Object.keys(MIGRATIONS));
      await db.destroy();
    }
  });

  it('refuses what a newer version wrote', async () => {
    const db = await openDatabase(database.choice);
    await sql`insert into kysely_migration (name, timestamp) values ('999-of-tomorrow', '')`.execute(db);
    await db.destroy();
    await expect(openDatabase(database.choice)).rejects.toMatchObject({ code: 'store_newer_schema' });
  });

  it('takes back a transaction that fails', async () => {
    const db = await openDatabase(database.choice);
    const failed = db.transaction().execute(async (tx) => {
      await tx.insertInto('launchpad_documents').values(ROW).execute();
      throw new Error('on purpose');
    });
    await expect(failed).rejects.toThrow('on purpose');
    expect(await db.selectFrom('launchpad_documents').selectAll().execute()).toEqual([]);
    await db.destroy();
  });

  it('answers whole numbers as numbers, and a count too', async () => {
    const db = await openDatabase(database.choice);
    await db
      .insertInto('launchpad_documents')
      .values({ ...ROW, created_at_ms: Number.MAX_SAFE_INTEGER })
      .execute();
    const row = await db
      .selectFrom('launchpad_documents')
      .select(({ fn }) => ['created_at_ms', fn.countAll<number>().over().as('count')])
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ created_at_ms: Number.MAX_SAFE_INTEGER, count: 1 });
    await db.destroy();
  });
});

describe('a file', () => {
  it('has on the disk what was committed: WAL, synchronous=FULL', async () => {
    const database = await sqliteFile();
    const db = await openDatabase(database.choice);
    const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db);
    const synchronous = await sql<{ synchronous: number }>`pragma synchronous`.execute(db);
    expect([mode.rows[0]?.journal_mode, synchronous.rows[0]?.synchronous]).toEqual(['wal', 2]);
    await db.destroy();
    await database.remove();
  });
});

describe('a file that several processes open', () => {
  it('is made once', async () => {
    const database = await sqliteFile();
    const script = `
      import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/database/database.js'))};
      const db = await openDatabase(${JSON.stringify(database.choice)});
      await db.insertInto('launchpad_documents').values({ meta_hash: String(process.pid), document: '{}', created_at_ms: 1 }).execute();
      await db.destroy();`;
    const codes = await Promise.all(
      [1, 2, 3].map(
        () =>
          new Promise((resolve) => {
            const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
              stdio: ['ignore', 'inherit', 'inherit'],
            });
            child.on('exit', resolve);
          }),
      ),
    );
    expect(codes).toEqual([0, 0, 0]);
    const db = await openDatabase(database.choice);
    expect(await db.selectFrom('launchpad_documents').select('document').execute()).toHaveLength(3);
    await db.destroy();
    await database.remove();
  });
});

describe('a database that cannot be opened', () => {
  it('says which, without its password', async () => {
    const url = 'postgres://someone:hunter2@127.0.0.1:1/strata';
    const error = await openDatabase({ kind: 'postgres', url }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining('127.0.0.1:1/strata'),
    });
    expect(String(error)).not.toContain('hunter2');
  });

  it('says which file', async () => {
    const database = await sqliteFile();
    const first = await openDatabase(database.choice);
    await first.destroy();
    if (database.choice.kind !== 'sqlite') return expect.fail();
    expect((await stat(database.choice.path)).isFile()).toBe(true);
    const inside = join(database.choice.path, 'below-a-file', 'app.db');
    await expect(openDatabase({ kind: 'sqlite', path: inside })).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringContaining(inside),
    });
    await database.remove();
  });
});
