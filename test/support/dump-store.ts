import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createChdbConnection } from 'chdb/connection';

/**
 * tsx test/support/dump-store.ts <data folder> <output folder>: the tables of an embedded store as Native files and
 * its definitions as SQL, for a fixture of a schema that today's code no longer makes.
 */

const [data = '', output = ''] = process.argv.slice(2);
const connection = createChdbConnection({ path: join(resolve(data), 'engine') });

async function ask(sql: string, format: string): Promise<Buffer> {
  return Buffer.from((await connection.chdb.queryAsync(sql, { format })).bytes());
}

async function list(sql: string): Promise<string[]> {
  const text = (await ask(sql, 'TSVRaw')).toString('utf8').trim();
  return text === '' ? [] : text.split('\n');
}

mkdirSync(output, { recursive: true });
const here = 'database = currentDatabase()';
const tables: Record<string, { readonly columns: readonly string[]; readonly rows: number }> = {};
const statements: string[] = [];
for (const isView of [false, true]) {
  const names = await list(
    `SELECT name FROM system.tables WHERE ${here} AND ${isView ? '' : 'NOT '}engine LIKE '%View' ORDER BY name`,
  );
  for (const name of names) {
    const created = await ask(
      `SELECT formatQuery(create_table_query) FROM system.tables WHERE ${here} AND name = '${name}'`,
      'TSVRaw',
    );
    statements.push(`${created.toString('utf8').trim().replaceAll('default.', '')};\n`);
    if (isView) continue;
    const columns = await list(
      `SELECT name FROM system.columns WHERE ${here} AND table = '${name}' AND default_kind != 'ALIAS' ORDER BY position`,
    );
    const chosen = columns.map((column) => `\`${column}\``).join(', ');
    const native = await ask(`SELECT ${chosen} FROM ${name} ORDER BY ALL`, 'Native');
    const [rows = '0'] = await list(`SELECT count() FROM ${name}`);
    tables[name] = { columns, rows: Number(rows) };
    writeFileSync(join(output, `${name}.native.gz`), gzipSync(native, { level: 9 }));
  }
}
writeFileSync(join(output, 'schema.sql'), statements.join('\n'));
writeFileSync(join(output, 'tables.json'), `${JSON.stringify(tables, null, 2)}\n`);
await connection.close();
