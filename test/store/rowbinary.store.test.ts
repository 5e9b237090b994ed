import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

function reader(hex: string): RowReader {
  return new RowReader(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

describe('RowReader over literal bytes', () => {
  it('reads integers in little-endian order', () => {
    const row = reader('ff 3412 78563412 ffffffff 0000000000002000');
    expect(row.u8()).toBe(255);
    expect(row.u16()).toBe(0x1234);
    expect(row.u32()).toBe(0x12345678);
    expect(row.i32()).toBe(-1);
    expect(() => row.u64()).toThrow('The integer 9007199254740992 does not fit a number');
    expect(row.done).toBe(true);
  });

  it('reads 64 and 256 bits without loss', () => {
    expect(reader('ffffffffffff1f00').u64()).toBe(Number.MAX_SAFE_INTEGER);
    expect(reader('ffffffffffffffff').u64big()).toBe(2n ** 64n - 1n);
    expect(reader('0000000000000080').i64big()).toBe(-(2n ** 63n));
    expect(reader('feffffffffffffff').i64()).toBe(-2);
    expect(() => reader('0000000000000080').i64()).toThrow('does not fit');
    expect(reader(`01${'00'.repeat(30)}80`).u256()).toBe(2n ** 255n + 1n);
    expect(reader('ff'.repeat(32)).i256()).toBe(-1n);
  });

  it('reads texts, arrays, maps and nullables', () => {
    const row = reader('02c3a9 02 0161 00 01 0162 0500000000000000 01 00 0163');
    expect(row.string()).toBe('é');
    expect(row.stringArray()).toEqual(['a', '']);
    expect(row.map()).toEqual(new Map([['b', 5]]));
    expect(row.nullable(() => row.string())).toBeUndefined();
    expect(row.nullable(() => row.string())).toBe('c');
    expect(row.done).toBe(true);
  });

  it('returns byte strings as views of its input', () => {
    const input = Buffer.from('03aabbcc', 'hex');
    const bytes = new RowReader(input).bytes();
    input[1] = 0x11;
    expect(Buffer.from(bytes).toString('hex')).toBe('11bbcc');
  });

  it('refuses bytes that end inside a value', () => {
    for (const [hex, read] of [
      ['010203', (row: RowReader) => row.u32()],
      ['0561', (row: RowReader) => row.string()],
      ['80', (row: RowReader) => row.bytes()],
      ['', (row: RowReader) => row.u8()],
      ['ffffffffffffffffff01', (row: RowReader) => row.bytes()],
    ] as const) {
      expect(() => read(reader(hex))).toThrow(expect.objectContaining({ code: 'store_query_failed' }));
    }
  });
});

describe('RowReader over the engine', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore({ migrated: false });
  });
  afterAll(() => test.close());

  it('reads what ClickHouse writes', async () => {
    const row = new RowReader(
      await test.store.query(`SELECT toUInt8(7), toUInt16(65535), toUInt32(4294967295), toUInt64(9007199254740991),
toUInt64(18446744073709551615), toInt32(-5), toInt64(-6), toInt64(-9223372036854775808),
toUInt256('115792089237316195423570985008687907853269984665640564039457584007913129639935'), toInt256('-12'),
toFixedString(unhex('00ff'), 2), 'naïve ☃', unhex('ff00fe'), repeat('x', 300), ['a', 'b'], CAST([], 'Array(String)'),
map('t', toUInt64(3)), true, CAST(NULL, 'Nullable(UInt8)'), CAST(9, 'Nullable(UInt8)')`),
    );
    expect([row.u8(), row.u16(), row.u32(), row.u64(), row.u64big()]).toEqual([
      7,
      65535,
      4294967295,
      Number.MAX_SAFE_INTEGER,
      2n ** 64n - 1n,
    ]);
    expect([row.i32(), row.i64(), row.i64big()]).toEqual([-5, -6, -(2n ** 63n)]);
    expect([row.u256(), row.i256()]).toEqual([2n ** 256n - 1n, -12n]);
    expect([...row.fixed(2)]).toEqual([0, 255]);
    expect(row.string()).toBe('naïve ☃');
    expect([...row.bytes()]).toEqual([255, 0, 254]);
    expect(row.string()).toBe('x'.repeat(300));
    expect([row.stringArray(), row.stringArray()]).toEqual([['a', 'b'], []]);
    expect(row.map()).toEqual(new Map([['t', 3]]));
    expect(row.bool()).toBe(true);
    expect([row.nullable(() => row.u8()), row.nullable(() => row.u8())]).toEqual([undefined, 9]);
    expect(row.done).toBe(true);
  });

  it('reads many rows until done', async () => {
    const rows = new RowReader(
      await test.store.query('SELECT number, toString(number) FROM numbers(100000) ORDER BY number'),
    );
    let count = 0;
    while (!rows.done) {
      expect(rows.u64() === count && rows.string() === String(count)).toBe(true);
      count++;
    }
    expect(count).toBe(100_000);
  });
});
