import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TableBuilder } from '../../src/core/native.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import type { TableSpec } from '../../src/core/table.ts';
import { TXS } from '../../src/core/tables.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

const EVERY_TYPE = {
  name: 'every_type',
  columns: [
    ['a_u8', 'UInt8'],
    ['a_u16', 'UInt16'],
    ['a_u32', 'UInt32'],
    ['a_u64', 'UInt64'],
    ['a_i32', 'Int32'],
    ['a_i64', 'Int64'],
    ['a_u256', 'UInt256'],
    ['a_string', 'String'],
    ['a_fixed4', 'FixedString(4)'],
    ['a_fixed20', 'FixedString(20)'],
    ['a_fixed32', 'FixedString(32)'],
    ['an_array', 'Array(String)'],
    ['a_name', 'String'],
  ],
} as const satisfies TableSpec;

/** Two rows at the ends of each type's range. UInt16 has no method of its own: its two bytes are two u8. */
function everyTypeBlock(): Uint8Array {
  const builder = new TableBuilder(EVERY_TYPE);
  const { columns } = builder;
  for (const row of [0, 1]) {
    columns.a_u8.u8(row * 255);
    columns.a_u16.u8(row * 255);
    columns.a_u16.u8(row * 255);
    columns.a_u32.u32(row * 0xffff_ffff);
    columns.a_u64.u64(row * Number.MAX_SAFE_INTEGER);
    columns.a_i32.i32(-row);
    columns.a_i64.i64big(-BigInt(row) << 63n);
    columns.a_u256.u256be(new Uint8Array(row * 32).fill(255));
    columns.a_string.bytes(Buffer.from(row === 0 ? '' : 'é\0\xff', 'utf8'));
    columns.a_fixed4.fixed(new Uint8Array(row * 4).fill(7));
    columns.a_fixed20.fixed(new Uint8Array(row * 20).fill(8));
    columns.a_fixed32.fixed(new Uint8Array(row * 32).fill(9));
    columns.an_array.latin1Array(row === 0 ? [] : ['null', '', '{}']);
    columns.a_name.latin1(row === 0 ? '' : '/cosmos.bank.v1beta1.MsgSend');
    builder.rows++;
  }
  return builder.finish();
}

function txsBlock(heights: readonly number[], method: string): Uint8Array {
  const builder = new TableBuilder(TXS);
  for (const height of heights) {
    for (const column of builder.list) {
      if (column.name === 'height') column.u64(height);
      else if (column.name === 'method') column.latin1(method);
      else if (column.type === 'UInt32') column.u32(0);
      else if (column.type === 'Int64') column.i64big(BigInt(height) * 86_400_000_000_000n);
      else if (column.type === 'FixedString(32)') column.fixed(new Uint8Array(0));
      else if (column.type === 'Array(String)') column.latin1Array([]);
      else column.latin1('');
    }
    builder.rows++;
  }
  return builder.finish();
}

const TXS_COLUMNS = TXS.columns.map(([name]) => name);

describe('insertNativeFiles into the embedded store', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
    const columns = EVERY_TYPE.columns.map(([name, type]) => {
      return `${name} ${name === 'a_name' ? 'LowCardinality(String)' : type}`;
    });
    await test.store.command(
      `CREATE TABLE every_type (${columns.join(', ')}) ENGINE = MergeTree ORDER BY a_u8`,
    );
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    for (const table of ['every_type', 'txs', 'txs_by_method', 'txs_per_method', 'txs_per_day']) {
      await test.store.command(`TRUNCATE TABLE ${table}`);
    }
  });

  async function numbers(sql: string): Promise<number[]> {
    const rows = new RowReader(await test.store.query(sql));
    const values: number[] = [];
    while (!rows.done) values.push(rows.u64());
    return values;
  }

  it('brings every column type over without loss', async () => {
    const path = join(test.factory.spoolFolder, 'every_type.native');
    await writeFile(path, everyTypeBlock());
    const names = EVERY_TYPE.columns.map(([name]) => name);
    await test.store.insertNativeFiles('every_type', names, [path]);
    const row = new RowReader(await test.store.query('SELECT * FROM every_type WHERE a_u8 = 255'));
    expect([row.u8(), row.u16(), row.u32(), row.u64()]).toEqual([
      255,
      65535,
      0xffff_ffff,
      Number.MAX_SAFE_INTEGER,
    ]);
    expect([row.i32(), row.i64big(), row.u256()]).toEqual([-1, -(2n ** 63n), 2n ** 256n - 1n]);
    expect(row.string()).toBe('é\0\xff');
    for (const [length, value] of [
      [4, 7],
      [20, 8],
      [32, 9],
    ] as const) {
      expect([...row.fixed(length)]).toEqual(new Array(length).fill(value));
    }
    expect(row.stringArray()).toEqual(['null', '', '{}']);
    expect(row.string()).toBe('/cosmos.bank.v1beta1.MsgSend');
    expect(row.done).toBe(true);
    expect(await numbers('SELECT count() FROM every_type WHERE a_u8 = 0')).toEqual([1]);
  });

  it('inserts files of several folders and blocks as one part and few view rows', async () => {
    const elsewhere = join(test.folder, "it's \\ another");
    await mkdir(elsewhere, { recursive: true });
    const paths = [join(test.factory.spoolFolder, 'a.native'), join(elsewhere, 'b.native')];
    await writeFile(paths[0] as string, txsBlock([1, 2], 'm'));
    await appendFile(paths[0] as string, txsBlock([3], 'n'));
    await writeFile(paths[1] as string, txsBlock([4, 5], 'm'));
    await test.store.insertNativeFiles('txs', TXS_COLUMNS, paths);
    expect(await numbers('SELECT height FROM txs ORDER BY height')).toEqual([1, 2, 3, 4, 5]);
    expect(await numbers('SELECT uniqExact(_part) FROM txs')).toEqual([1]);
    expect(await numbers("SELECT height FROM txs_by_method WHERE method = 'm' ORDER BY height")).toEqual([
      1, 2, 4, 5,
    ]);
    expect(await numbers('SELECT txs FROM txs_per_method ORDER BY method')).toEqual([4, 1]);
    expect(await numbers('SELECT height FROM txs_per_method ORDER BY method')).toEqual([5, 3]);
    expect(await numbers('SELECT sum(txs) FROM txs_per_day')).toEqual([5]);
  });

  it('keeps a view row per group where a commit has far more rows than one of the engine’s blocks', async () => {
    const path = join(test.factory.spoolFolder, 'many.native');
    const heights = Array.from({ length: 10_000 }, (_, i) => i + 1);
    await writeFile(path, '');
    for (let i = 0; i < 20; i++) await appendFile(path, txsBlock(heights, `m${i % 2}`));
    await test.store.insertNativeFiles('txs', TXS_COLUMNS, [path]);
    expect(await numbers('SELECT txs FROM txs_per_method ORDER BY method')).toEqual([100_000, 100_000]);
  });

  it('inserts equal files twice when asked twice', async () => {
    const path = join(test.factory.spoolFolder, 'same.native');
    await writeFile(path, txsBlock([1, 2], 'm'));
    for (let i = 0; i < 2; i++) await test.store.insertNativeFiles('txs', TXS_COLUMNS, [path]);
    expect(await numbers('SELECT count() FROM txs')).toEqual([4]);
    expect(await numbers('SELECT sum(txs) FROM txs_per_method')).toEqual([4]);
  });

  it('inserts nothing when one of the files is missing, cut off or of other columns', async () => {
    const folder = test.factory.spoolFolder;
    const good = join(folder, 'good.native');
    await writeFile(good, txsBlock([1], 'm'));
    const cut = join(folder, 'cut.native');
    const block = txsBlock([1, 2, 3], 'm');
    await writeFile(cut, block.subarray(0, block.length - 5));
    const empty = join(folder, 'empty.native');
    await writeFile(empty, '');
    const other = join(folder, 'other.native');
    await writeFile(other, everyTypeBlock());
    for (const bad of [join(folder, 'absent.native'), cut, other, empty]) {
      await expect(test.store.insertNativeFiles('txs', TXS_COLUMNS, [good, bad])).rejects.toMatchObject({
        code: 'store_query_failed',
      });
    }
    expect(await numbers('SELECT count() FROM txs')).toEqual([0]);
    await test.store.insertNativeFiles('txs', TXS_COLUMNS, []);
    expect(await numbers('SELECT count() FROM txs')).toEqual([0]);
  });
});
