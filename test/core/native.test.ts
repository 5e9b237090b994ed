import { expect, it } from 'vitest';
import { TableBuilder } from '../../src/core/native.ts';
import { readNativeRows } from '../support/native-rows.ts';

/** A builder makes one block after the other in the same memory. */

it('a FixedString with fewer bytes ends in zeros, not in what a block before had there', () => {
  const builder = new TableBuilder({ name: 't', columns: [['hash', 'FixedString(32)']] } as const);
  const blockOf = (value: Uint8Array) => {
    builder.columns.hash.fixed(value);
    builder.rows++;
    return readNativeRows(builder.finish());
  };
  expect(blockOf(new Uint8Array(32).fill(0xff))).toEqual([{ hash: Buffer.alloc(32, 0xff) }]);
  for (const length of [20, 1, 0]) {
    const expected = Buffer.concat([Buffer.alloc(length, 0xaa), Buffer.alloc(32 - length)]);
    expect(blockOf(new Uint8Array(length).fill(0xaa))).toEqual([{ hash: expected }]);
    blockOf(new Uint8Array(32).fill(0xff));
  }
});
