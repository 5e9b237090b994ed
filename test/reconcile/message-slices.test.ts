import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageSlices } from '../../src/reconcile/message-slices.ts';

/** `field 1: bytes` of these lengths. */
function message(lengths: readonly number[]): Buffer {
  return Buffer.concat(
    lengths.map((length) => {
      const head = [0x0a];
      let rest = length;
      for (; rest > 127; rest >>>= 7) head.push((rest & 127) | 128);
      return Buffer.concat([Buffer.from([...head, rest]), Buffer.alloc(length, 7)]);
    }),
  );
}

it('slices are the message again, cut between its fields, and small', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 40 }), (lengths) => {
      const bytes = message(lengths);
      const slices = [...messageSlices(bytes)];
      expect(Buffer.concat(slices).equals(bytes)).toBe(true);
      for (const slice of slices) {
        // each is a message by itself
        expect([...messageSlices(slice)].length).toBe(1);
        expect(slice.length).toBeLessThan(65_536 + 30_004);
      }
    }),
  );
});

it('an empty message is one slice; many small fields are several', () => {
  expect([...messageSlices(new Uint8Array())]).toHaveLength(1);
  expect([...messageSlices(message(Array.from({ length: 1_100 }, () => 0)))]).toHaveLength(3);
});

it.each([
  ['more fields', [1, 1, 1], 'more than 2 records'],
  ['a longer field', [9], 'more than 8 bytes'],
])('%s than the limits allow end it', (_, lengths, why) => {
  const slices = messageSlices(message(lengths), { maxFields: 2, maxFieldBytes: 8 });
  expect(() => [...slices]).toThrow(why);
});

it.each(['0aff', '0a05', 'ff', '00', '0d01'])('broken bytes are told: %s', (hex) => {
  expect(() => [...messageSlices(Buffer.from(hex, 'hex'))]).toThrow('malformed');
});
