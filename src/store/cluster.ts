import { StrataError } from 'strata-kit/errors';
import { identifier, quote } from './sql.ts';
import type { Store } from './store.ts';

/**
 * The same schema on a cluster, by rewriting Strata's own statements: every table becomes a local one on each shard,
 * `x_local`, and `x`, a Distributed one over them. Views write from local to local; readers read the Distributed tables.
 */

export interface ClusterOptions {
  /** As the servers' remote_servers has it. */
  readonly cluster: string;
  /** ReplicatedMergeTree, and inserts that wait for a quorum of replicas. */
  readonly isReplicated: boolean;
}

/**
 * In the keeper, with macros that the servers expand. {uuid} must be in it: a migration that makes a table anew has two of
 * one name for a while, and they change places.
 */
export const REPLICA_PATH = '/clickhouse/tables/{uuid}/{shard}';

/** Blocks that go to one shard together, so that a commit's inserts touch few shards. */
const SHARD_HEIGHTS = 10_000;

/** Sessions' inserts wait until every shard has its rows: a checkpoint is written after that. */
export const CLUSTER_INSERT_SETTINGS = 'distributed_foreground_insert = 1';
/** A majority of a shard's replicas has the rows before an insert ends. */
export const QUORUM_SETTINGS = "insert_quorum = 'auto', insert_quorum_parallel = 0";

export function insertSettings({ isReplicated }: ClusterOptions): string {
  return isReplicated ? `${CLUSTER_INSERT_SETTINGS}, ${QUORUM_SETTINGS}` : CLUSTER_INSERT_SETTINGS;
}

export function createDatabase(database: string, cluster: ClusterOptions | undefined): string {
  const on = cluster === undefined ? '' : ` ON CLUSTER ${identifier(cluster.cluster)}`;
  return `CREATE DATABASE IF NOT EXISTS ${identifier(database)}${on}`;
}

/**
 * What one of Strata's statements is on a cluster, in order. INSERT and SELECT stay as they are, but that an insert
 * waits for the shards.
 *
 * Errors: internal for a statement of a shape that it does not know, so that a migration is never run on one server of
 * many.
 */
export function clusterStatements(sql: string, database: string, options: ClusterOptions): readonly string[] {
  const text = sql.replace(/^(?:\s*--[^\n]*\n)*\s*/, '').trim();
  const on = `ON CLUSTER ${identifier(options.cluster)}`;
  const table = /^CREATE TABLE (IF NOT EXISTS )?(\w+)\s*\(/.exec(text);
  if (table !== null) return createTables(text, table, database, options);

  const view = /^CREATE MATERIALIZED VIEW IF NOT EXISTS (\w+) TO (\w+) AS\s+([\s\S]*\bFROM \w[\s\S]*)$/.exec(
    text,
  );
  if (view !== null) {
    const [, name, target, select = ''] = view;
    const local = select.replace(/\bFROM (\w+)\b/g, 'FROM $1_local');
    return [`CREATE MATERIALIZED VIEW IF NOT EXISTS ${name} ${on} TO ${target}_local AS\n${local}`];
  }
  const plainView = /^(CREATE (?:OR REPLACE )?VIEW (?:IF NOT EXISTS )?\w+)([\s\S]*)$/.exec(text);
  if (plainView !== null) return [`${plainView[1]} ${on}${plainView[2]}`];

  const drop = /^DROP (TABLE|VIEW) IF EXISTS (\w+)((?: SYNC)?(?: SETTINGS [\w =]+)?)$/.exec(text);
  if (drop !== null) {
    const [, kind, name, rest = ''] = drop;
    const names = kind === 'TABLE' ? [name, `${name}_local`] : [name];
    return names.map((each) => `DROP ${kind} IF EXISTS ${each} ${on}${rest}`);
  }
  const change = /^(ALTER TABLE|TRUNCATE TABLE|DELETE FROM) `?(\w+)`?([\s\S]*)$/.exec(text);
  if (change !== null) {
    const [, verb, name, rest = ''] = change;
    // of a Distributed table the columns stand with itself
    if (/^ ADD COLUMN /.test(rest))
      return [name, `${name}_local`].map((each) => `${verb} ${each} ${on}${rest}`);
    return [`${verb} ${name}_local ${on}${rest}`];
  }
  if (/^INSERT INTO /.test(text)) return [withInsertSettings(text, insertSettings(options))];
  throw new StrataError(
    'internal',
    `no variant for a cluster is known of the statement: ${text.slice(0, 200)}`,
  );
}

function createTables(
  text: string,
  match: RegExpExecArray,
  database: string,
  options: ClusterOptions,
): readonly string[] {
  const [, ifMissing = '', name = ''] = match;
  const on = `ON CLUSTER ${identifier(options.cluster)}`;
  const engine = /\bENGINE = (\w*MergeTree)(?:\(([^)]*)\))?/.exec(text);
  if (engine === null)
    throw new StrataError('internal', `the table ${name} has no engine of the MergeTree family`);
  const [clause, family = '', parameters] = engine;
  const local = text
    .replace(`CREATE TABLE ${ifMissing}${name}`, `CREATE TABLE ${ifMissing}${name}_local ${on}`)
    .replace(clause, options.isReplicated ? replicated(family, parameters) : clause);
  const hasHeight = /^\s*height UInt64/m.test(text);
  const key = hasHeight ? `intDiv(height, ${SHARD_HEIGHTS})` : '0';
  return [
    local,
    `CREATE TABLE ${ifMissing}${name} ${on} AS ${identifier(database)}.${name}_local
ENGINE = Distributed(${quote(options.cluster)}, ${quote(database)}, ${quote(`${name}_local`)}, ${key})`,
  ];
}

function replicated(family: string, parameters: string | undefined): string {
  const path = quote(REPLICA_PATH);
  const rest = parameters === undefined || parameters.trim() === '' ? '' : `, ${parameters}`;
  return `ENGINE = Replicated${family}(${path}, '{replica}'${rest})`;
}

function withInsertSettings(text: string, settings: string): string {
  if (/\bSETTINGS\b/.test(text)) return text.replace(/\bSETTINGS\b/, `SETTINGS ${settings},`);
  const insert = /^INSERT INTO \w+(?:\s*\([^)]*\))?/.exec(text)?.[0] ?? '';
  return `${insert} SETTINGS ${settings}${text.slice(insert.length)}`;
}

/** The session with its statements rewritten; queries and files of rows go to the Distributed tables as they are. */
export function onCluster(store: Store, database: string, options: ClusterOptions): Store {
  return {
    ...store,
    async command(sql) {
      for (const statement of clusterStatements(sql, database, options)) await store.command(statement);
    },
  };
}
