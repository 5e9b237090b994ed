import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { sha256 } from 'strata-kit/hash';
import { TableBuilder } from '../core/native.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableSpec } from '../core/table.ts';
import { spoolFailed } from './disk.ts';
import { fixedLiteral, quote } from './sql.ts';
import type { Store } from './store.ts';

/** ClickHouse parses no statement above 256 KiB. */
const MAX_STATEMENT_BYTES = 250_000;

/** What the chain told of itself and what the store was made with: the newest value of each key. */
export async function readFacts(store: Store): Promise<Map<string, string>> {
  const rows = new RowReader(
    await store.query('SELECT key, argMax(value, version) FROM facts GROUP BY key ORDER BY key'),
  );
  const facts = new Map<string, string>();
  while (!rows.done) {
    const key = rows.string();
    facts.set(key, rows.string());
  }
  return facts;
}

/**
 * Writes all entries in one insert, newer than what is there; other keys stay.
 *
 * Errors: internal when the entries are too large together for one statement (250,000 bytes).
 */
export async function writeFacts(store: Store, entries: ReadonlyMap<string, string>): Promise<void> {
  if (entries.size === 0) return;
  const tuples = [...entries].map(([key, value]) => `(${quote(key)}, ${quote(value)})`);
  const sql = `INSERT INTO facts SETTINGS async_insert = 0, insert_deduplicate = 0
SELECT key, value, (SELECT max(version) FROM facts) + 1
FROM values('key String, value String', ${tuples.join(', ')})`;
  const byteLength = Buffer.byteLength(sql);
  if (byteLength > MAX_STATEMENT_BYTES) {
    throw new StrataError(
      'internal',
      `The facts make a statement of ${byteLength} bytes; write them in parts`,
    );
  }
  await store.command(sql);
}

/** A FileDescriptorSet as the node answered it, first seen with `appVersion` at `firstHeight`. */
export interface DescriptorSet {
  readonly appVersion: string;
  readonly firstHeight: number;
  readonly bytes: Uint8Array;
}

const DESCRIPTOR_SETS = {
  name: 'descriptor_sets',
  columns: [
    ['sequence', 'UInt64'],
    ['app_version', 'String'],
    ['first_height', 'UInt64'],
    ['sha256', 'FixedString(32)'],
    ['bytes', 'String'],
  ],
} as const satisfies TableSpec;

/** The app version of sets that a person gave, which no chain has. */
const GIVEN_VERSION = 'given';

/** Those that a person gave, the newest first. They describe what the chain's own sets do not. */
export async function readGivenSets(store: Store): Promise<Uint8Array[]> {
  const rows = new RowReader(
    await store.query(
      `SELECT bytes FROM descriptor_sets WHERE app_version = ${quote(GIVEN_VERSION)} ORDER BY sequence DESC`,
    ),
  );
  const sets: Uint8Array[] = [];
  while (!rows.done) sets.push(new Uint8Array(rows.bytes()));
  return sets;
}

/** Keeps a set that a person gave, first used at `firstHeight`, unless the store has it. */
export function addGivenSet(
  store: Store,
  bytes: Uint8Array,
  firstHeight: number,
  spoolFolder: string,
): Promise<void> {
  return addDescriptorSet(store, { appVersion: GIVEN_VERSION, firstHeight, bytes }, spoolFolder);
}

/** The chain's own, in the order in which it answered them: the last is the newest. */
export async function readDescriptorSets(store: Store): Promise<DescriptorSet[]> {
  const rows = new RowReader(
    await store.query(
      `SELECT app_version, first_height, bytes FROM descriptor_sets WHERE app_version != ${quote(GIVEN_VERSION)} ORDER BY sequence`,
    ),
  );
  const sets: DescriptorSet[] = [];
  while (!rows.done) {
    sets.push({ appVersion: rows.string(), firstHeight: rows.u64(), bytes: new Uint8Array(rows.bytes()) });
  }
  return sets;
}

/**
 * Keeps a set, unless the store has the same one for this app version. It goes through a Native file in
 * `spoolFolder`, since a statement cannot hold it.
 */
export async function addDescriptorSet(store: Store, set: DescriptorSet, spoolFolder: string): Promise<void> {
  const digest = sha256(set.bytes);
  const known = new RowReader(
    await store.query(`SELECT max(sequence),
countIf(app_version = ${quote(set.appVersion)} AND sha256 = ${fixedLiteral(digest)}) FROM descriptor_sets`),
  );
  const sequence = known.u64() + 1;
  if (known.u64() > 0) return;
  const builder = new TableBuilder(DESCRIPTOR_SETS);
  builder.columns.sequence.u64(sequence);
  builder.columns.app_version.bytes(Buffer.from(set.appVersion, 'utf8'));
  builder.columns.first_height.u64(set.firstHeight);
  builder.columns.sha256.fixed(digest);
  builder.columns.bytes.bytes(set.bytes);
  builder.rows = 1;
  const path = join(spoolFolder, 'descriptor_sets.native');
  await writeFile(path, builder.finish()).catch((error: unknown) => {
    throw spoolFailed(error);
  });
  const columns = DESCRIPTOR_SETS.columns.map(([name]) => name);
  await store.insertNativeFiles(DESCRIPTOR_SETS.name, columns, [path]);
}
