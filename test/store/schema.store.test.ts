import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { DECODED_TABLES } from '../../src/core/tables.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { heightTables } from '../../src/store/repair.ts';
import { quote } from '../../src/store/sql.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { dumpWholeSchema } from '../support/whole-schema.ts';

describe('the schema in sql/', () => {
  let test: TestStore;
  let dump: string;
  beforeAll(async () => {
    test = await openTestStore({ migrated: false });
    dump = await dumpWholeSchema(test.store);
  });
  afterAll(() => test.close());

  async function strings(sql: string): Promise<string[]> {
    const rows = new RowReader(await test.store.query(sql));
    const texts: string[] = [];
    while (!rows.done) texts.push(rows.string());
    return texts;
  }

  it('is what sql/schema.sql shows (else run npm run schema)', async () => {
    expect(dump).toBe(await readFile(join(packageRoot(), 'sql/schema.sql'), 'utf8'));
  });

  it.each(DECODED_TABLES)(
    'table $name has the columns that decode workers fill',
    async ({ name, columns }) => {
      const found =
        await strings(`SELECT concat(name, ' ', replaceRegexpOne(type, '^LowCardinality\\\\((.*)\\\\)$', '\\\\1'))
FROM system.columns WHERE database = currentDatabase() AND table = ${quote(name)} AND default_kind = '' ORDER BY position`);
      expect(found).toEqual(columns.map(([column, type]) => `${column} ${type}`));
    },
  );

  it('lists every table that has a height, but for the bookkeeping', async () => {
    const found = await strings(`SELECT DISTINCT table FROM system.columns WHERE database = currentDatabase()
AND name = 'height' AND table NOT IN ('checkpoints', 'event_attributes') AND NOT endsWith(table, '_view')`);
    expect([...(await heightTables(test.store))].sort()).toEqual(found.sort());
  });

  it('guards every table against power loss and piles of old parts', async () => {
    const create = await strings(`SELECT create_table_query FROM system.tables
WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`);
    expect(create.length).toBeGreaterThan(15);
    for (const text of create) {
      expect(text).toContain('min_rows_to_fsync_after_merge = 1');
      expect(text).toContain('old_parts_lifetime = 60');
      expect(text).toContain('max_cleanup_delay_period = 20');
      expect(text).toContain('non_replicated_deduplication_window = 0');
    }
  });

  it('unfolds the attributes of tx and block-level events', async () => {
    const events = (type: string) =>
      quote(`[{"event_index":4,"type":"${type}","attributes":[{"key":"k","value":"\\u0000é"},{"key":"","value":""}]},
{"event_index":5,"type":"bare","attributes":[]}]`);
    await test.store.command(`INSERT INTO blocks (height, events) SELECT 9, ${events('mint')}`);
    await test.store.command(`INSERT INTO txs (height, tx_index, events) SELECT 9, 2, ${events('tx')}`);
    expect(
      await strings(`SELECT concat(toString(height), '|', toString(tx_index), '|', toString(event_index), '|', type, '|', key, '|', value)
FROM event_attributes ORDER BY tx_index, key`),
    ).toEqual(['9|-1|4|mint||', '9|-1|4|mint|k|\0é', '9|2|4|tx||', '9|2|4|tx|k|\0é']);
  });
});
