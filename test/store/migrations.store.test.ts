import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { text, u8, u64 } from '../../src/core/columns.ts';
import { table } from '../../src/core/table.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { readFacts, writeFacts } from '../../src/store/facts.ts';
import {
  checkReadable,
  dumpSchema,
  loadMigrations,
  migrate,
  readSchemaVersion,
} from '../../src/store/migrations.ts';
import type { Store } from '../../src/store/store.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

beforeAll(releaseSharedStore);

async function inStores(
  use: (open: () => Promise<Store>, reopen: () => Promise<Store>) => Promise<void>,
): Promise<void> {
  const folder = await temporaryFolder();
  let factory = await openEmbedded({ folder: folder.path });
  try {
    await use(
      () => factory.open('test'),
      async () => {
        await factory.close();
        factory = await openEmbedded({ folder: folder.path });
        return factory.open('test');
      },
    );
  } finally {
    await factory.close();
    await folder.remove();
  }
}

describe('migrate', () => {
  it('creates the schema in an empty store and does nothing the second time', async () => {
    await inStores(async (open, reopen) => {
      const store = await open();
      expect(await readSchemaVersion(store)).toBe(0);
      const version = await migrate(store);
      const schema = await dumpSchema(store);
      await writeFacts(store, new Map([['chain_id', 'test_1-1']]));

      const again = await reopen();
      expect(await migrate(again)).toBe(version);
      expect(await readSchemaVersion(again)).toBe(version);
      expect(await dumpSchema(again)).toBe(schema);
      expect(await readFacts(again)).toEqual(
        new Map([
          ['chain_id', 'test_1-1'],
          ['schema_version', String(version)],
        ]),
      );
    });
  });

  it('completes a migration that was cut short after any of its statements', async () => {
    const [base, ...later] = await loadMigrations();
    if (base === undefined) throw new Error('no migrations');
    let whole = '';
    for (const done of [base.statements.length, 1, 12, base.statements.length - 1]) {
      await inStores(async (open) => {
        const store = await open();
        for (const statement of base.statements.slice(0, done)) await store.command(statement);
        await migrate(store, [base, ...later]);
        const schema = await dumpSchema(store);
        if (whole === '') whole = schema;
        expect(schema).toBe(whole);
        expect(await readSchemaVersion(store)).toBe(later.at(-1)?.version ?? base.version);
      });
    }
  });

  it('brings an older store to what a new one is, and refuses it to readers before that', async () => {
    const folder = await temporaryFolder();
    const facts = {
      name: 'facts',
      columns: { key: text, value: text, version: u64 },
      order: ['key'],
    } as const;
    const older = [table(facts)];
    // a declaration changes together with the migration that brings stores to it
    const newer = [table({ ...facts, columns: { ...facts.columns, more: u8 } })];
    await mkdir(join(folder.path, '0001_base'));
    await writeFile(
      join(folder.path, '0001_base', '900_version.sql'),
      "INSERT INTO facts (key, value, version) SELECT 'schema_version', '1', 1",
    );
    await inStores(async (open) => {
      const store = await open();
      expect(await migrate(store, await loadMigrations(folder.path, older))).toBe(1);
      await mkdir(join(folder.path, '0002_more'));
      await writeFile(
        join(folder.path, '0002_more', '020_more.sql'),
        '-- why\nALTER TABLE facts ADD COLUMN IF NOT EXISTS more UInt8 CODEC(ZSTD(1))',
      );
      await writeFile(
        join(folder.path, '0002_more', '900_version.sql'),
        "INSERT INTO facts (key, value, version) SELECT 'schema_version', '2', 2",
      );
      const migrations = await loadMigrations(folder.path, newer);
      await expect(checkReadable(store, 'here', migrations)).rejects.toMatchObject({
        code: 'store_older_schema',
        message: expect.stringMatching(/here has schema 1, .* reads 2: run `strata index`/),
      });
      expect(await migrate(store, migrations)).toBe(2);
      expect(await checkReadable(store, 'here', migrations)).toBe(2);
      const schema = await dumpSchema(store);
      await store.command('DROP TABLE facts SYNC');
      await migrate(store, migrations);
      expect(await dumpSchema(store)).toBe(schema);
    });
    await folder.remove();
  });

  it('leaves a store alone that no migration begins from', async () => {
    await inStores(async (open) => {
      const store = await open();
      const [base] = await loadMigrations();
      const version = (base?.version ?? 0) - 1;
      await store.command('CREATE TABLE facts (key String, value String) ENGINE = MergeTree ORDER BY key');
      await store.command(`INSERT INTO facts SELECT 'schema_version', '${version}'`);
      const before = await dumpSchema(store);
      for (const refuse of [migrate, (refused: Store) => checkReadable(refused, 'here')]) {
        await expect(refuse(store)).rejects.toMatchObject({
          code: 'store_older_schema',
          message: expect.stringMatching(
            `schema ${version} .* index the chain again into another data folder`,
          ),
        });
      }
      expect(await dumpSchema(store)).toBe(before);
    });
  });

  it('leaves a store of a newer schema alone', async () => {
    await inStores(async (open) => {
      const store = await open();
      const newest = await migrate(store);
      await store.command(`INSERT INTO facts SELECT 'schema_version', '${newest + 6}', 99`);
      const before = await dumpSchema(store);
      await expect(migrate(store)).rejects.toMatchObject({
        code: 'store_newer_schema',
        message: expect.stringMatching(`schema ${newest + 6} .* up to ${newest}.*or use another data folder`),
      });
      expect(await dumpSchema(store)).toBe(before);
    });
  });
});
