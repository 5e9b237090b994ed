import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import {
  type ClusterOptions,
  clusterStatements,
  createDatabase,
  onCluster,
} from '../../src/store/cluster.ts';
import { loadMigrations, migrate } from '../../src/store/migrations.ts';
import { HEIGHT_TABLES, repairAboveCheckpoint } from '../../src/store/repair.ts';
import { quote } from '../../src/store/sql.ts';
import type { Store } from '../../src/store/store.ts';
import { createStatements } from '../../src/store/table-ddl.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

const REPLICATED: ClusterOptions = { cluster: 'main', isReplicated: true };
const SHARDED: ClusterOptions = { ...REPLICATED, isReplicated: false };
const squeeze = (sql: string | undefined) => sql?.replaceAll(/\s+/g, ' ');

describe('statements on a cluster', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore({ migrated: false });
  });
  afterAll(() => test.close());

  /** As the engine itself prints it; it throws what it cannot parse. */
  async function parsed(sql: string): Promise<string> {
    return new RowReader(await test.store.query(`SELECT formatQuerySingleLine(${quote(sql)})`)).string();
  }

  it.each([
    ['replicated', REPLICATED],
    ['sharded', SHARDED],
  ] as const)('of every migration parse, and none touches one server alone (%s)', async (_name, options) => {
    const migrations = (await loadMigrations()).flatMap((migration) => migration.statements);
    const statements = [...migrations, ...tablesOf(MODULES).flatMap(createStatements)];
    expect(statements.length).toBeGreaterThan(70);
    let made = 0;
    for (const statement of statements) {
      for (const variant of clusterStatements(statement, 'strata', options)) {
        const text = await parsed(variant);
        expect(text).toMatch(/ ON CLUSTER main\b|^INSERT INTO facts .*distributed_foreground_insert/);
        if (/^CREATE TABLE \S+_local/.test(text.replace('IF NOT EXISTS ', ''))) {
          made++;
          expect(text).toMatch(
            options.isReplicated ? /ENGINE = Replicated\w*MergeTree\(/ : /ENGINE = (Replacing)?MergeTree/,
          );
        }
      }
    }
    expect(made).toBe(statements.filter((statement) => statement.includes('CREATE TABLE')).length);
    await parsed(createDatabase('strata', options));
  });

  it('make a local table and a distributed one over it', async () => {
    const facts = `-- What the chain told.
CREATE TABLE IF NOT EXISTS facts (key String, version UInt64)
ENGINE = ReplacingMergeTree(version)
ORDER BY key`;
    expect(clusterStatements(facts, 'strata', REPLICATED).map(squeeze)).toEqual([
      "CREATE TABLE IF NOT EXISTS facts_local ON CLUSTER `main` (key String, version UInt64) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}', version) ORDER BY key",
      "CREATE TABLE IF NOT EXISTS facts ON CLUSTER `main` AS `strata`.facts_local ENGINE = Distributed('main', 'strata', 'facts_local', 0)",
    ]);
    const blocks =
      'CREATE TABLE IF NOT EXISTS blocks\n(\n    height UInt64\n)\nENGINE = MergeTree\nORDER BY height';
    const [local, distributed] = clusterStatements(blocks, 'strata', SHARDED);
    expect(squeeze(local)).toContain('ENGINE = MergeTree ORDER BY height');
    expect(distributed).toContain("'blocks_local', intDiv(height, 10000))");
  });

  it('fill view targets where the rows are', () => {
    const view =
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO target AS\nSELECT method FROM txs GROUP BY method';
    expect(clusterStatements(view, 'strata', SHARDED).map(squeeze)).toEqual([
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER `main` TO target_local AS SELECT method FROM txs_local GROUP BY method',
    ]);
  });

  it('read what a view reads on the same server, also behind a UNION or in a query of its own', () => {
    const view = `CREATE MATERIALIZED VIEW IF NOT EXISTS v TO closes AS
SELECT pair, max(height) FROM (SELECT * FROM syncs) GROUP BY pair
UNION ALL SELECT pair, max(height) FROM syncs GROUP BY pair`;
    expect(clusterStatements(view, 'strata', SHARDED).map(squeeze)).toEqual([
      'CREATE MATERIALIZED VIEW IF NOT EXISTS v ON CLUSTER `main` TO closes_local AS ' +
        'SELECT pair, max(height) FROM (SELECT * FROM syncs_local) GROUP BY pair ' +
        'UNION ALL SELECT pair, max(height) FROM syncs_local GROUP BY pair',
    ]);
  });

  it('of the start-up repair delete on every shard, and count through the distributed tables', async () => {
    const commands: string[] = [];
    const queries: string[] = [];
    const row = (table: string, count: number) =>
      Buffer.concat([
        Buffer.from([table.length]),
        Buffer.from(table),
        Buffer.from(new BigUint64Array([BigInt(count)]).buffer),
      ]);
    const fake: Store = {
      ...test.store,
      query: async (sql) => {
        queries.push(sql);
        return queries.length === 1 ? row('txs', 3) : row('txs', 0);
      },
      command: async (sql) => {
        commands.push(sql);
      },
    };
    const deleted = await repairAboveCheckpoint(onCluster(fake, 'strata', REPLICATED), HEIGHT_TABLES, 7);
    expect([...deleted]).toEqual([['txs', 3]]);
    expect(commands).toEqual([
      'DELETE FROM txs_local ON CLUSTER `main` WHERE height > 7 SETTINGS lightweight_deletes_sync = 2',
    ]);
    expect(queries.join()).not.toContain('_local');
    for (const command of commands) await parsed(command);
    for (const sql of [
      'TRUNCATE TABLE `txs` SETTINGS max_table_size_to_drop = 0',
      'DROP TABLE IF EXISTS txs SYNC SETTINGS max_table_size_to_drop = 0',
      'ALTER TABLE `txs` MODIFY SETTING max_parts_to_merge_at_once = 20',
    ]) {
      expect(await parsed(clusterStatements(sql, 'strata', REPLICATED).at(-1) ?? '')).toContain(
        'txs_local ON CLUSTER main',
      );
    }
  });

  it('wait for every shard, and for a quorum where there are replicas', async () => {
    const sql = 'INSERT INTO checkpoints (height)\nSETTINGS async_insert = 0 SELECT 1';
    expect(clusterStatements(sql, 'strata', SHARDED)[0]).toContain(
      'distributed_foreground_insert = 1, async_insert = 0',
    );
    const [variant = ''] = clusterStatements("INSERT INTO facts SELECT 'a', '1', 1", 'strata', REPLICATED);
    expect(await parsed(variant)).toContain(
      "INSERT INTO facts SETTINGS distributed_foreground_insert = 1, insert_quorum = 'auto'",
    );
  });

  it('make a table anew under the distributed one', () => {
    const of = (sql: string) => clusterStatements(sql, 'strata', REPLICATED);
    expect(of('DROP TABLE IF EXISTS txs_next SYNC SETTINGS max_table_size_to_drop = 0')).toEqual([
      'DROP TABLE IF EXISTS txs_next ON CLUSTER `main` SYNC SETTINGS max_table_size_to_drop = 0',
      'DROP TABLE IF EXISTS txs_next_local ON CLUSTER `main` SYNC SETTINGS max_table_size_to_drop = 0',
    ]);
    expect(of('DROP VIEW IF EXISTS v SYNC')).toEqual(['DROP VIEW IF EXISTS v ON CLUSTER `main` SYNC']);
  });

  it('of an unknown shape are refused', async () => {
    for (const sql of ['OPTIMIZE TABLE txs', 'RENAME TABLE a TO b', 'CREATE TABLE x ENGINE = Memory']) {
      expect(() => clusterStatements(sql, 'strata', REPLICATED)).toThrow(/no variant for a cluster/);
    }
    const memory = 'CREATE TABLE IF NOT EXISTS x (a UInt8) ENGINE = Memory';
    expect(() => clusterStatements(memory, 'strata', REPLICATED)).toThrow(
      /no engine of the MergeTree family/,
    );
    expect(await migrate(test.store)).toBeGreaterThan(0);
  });
});
