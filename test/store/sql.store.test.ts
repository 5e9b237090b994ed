import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import {
  fixedLiteral,
  hexLiteral,
  identifier,
  intLiteral,
  quote,
  uint256Literal,
  uintLiteral,
} from '../../src/store/sql.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';

describe('SQL literals', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore({ migrated: false });
  });
  afterAll(() => test.close());

  it('carry any text to the engine and back', async () => {
    const texts = [
      "'",
      '\\',
      "\\'",
      "'; DROP TABLE x --",
      '\0',
      'a\0b',
      '\n\r\t\b',
      '`"',
      '☃ 𝄞',
      '',
      '%_{}?',
      '\\0',
      '/*',
    ];
    const rows = new RowReader(await test.store.query(`SELECT ${texts.map(quote).join(', ')}`));
    expect(texts.map(() => rows.string())).toEqual(texts);
  });

  it('carry bytes and integers', async () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, i) => i * 8);
    const rows = new RowReader(
      await test.store.query(`SELECT ${hexLiteral(bytes)}, ${fixedLiteral(bytes)}, toUInt64(${uintLiteral(2n ** 64n - 1n)}),
toInt64(${intLiteral(-(2n ** 63n))}), ${uint256Literal(2n ** 256n - 1n)}`),
    );
    expect([...rows.bytes()]).toEqual([...bytes]);
    expect([...rows.fixed(32)]).toEqual([...bytes]);
    expect([rows.u64big(), rows.i64big(), rows.u256()]).toEqual([
      2n ** 64n - 1n,
      -(2n ** 63n),
      2n ** 256n - 1n,
    ]);
  });

  it('refuse what is no integer of the range, and what is no name', () => {
    for (const wrong of [-1, 1.5, Number.NaN, 2 ** 53, 2n ** 64n]) expect(() => uintLiteral(wrong)).toThrow();
    expect(() => intLiteral(2n ** 63n)).toThrow();
    for (const wrong of ['', 'a b', 'a`', '1a', 'a.b']) expect(() => identifier(wrong)).toThrow();
  });
});
