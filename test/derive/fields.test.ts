import { describe, expect, it } from 'vitest';
import { FieldError, Fields } from '../../src/derive/fields.ts';

const of = (value: unknown): Fields => new Fields({ value } as never);

describe('an integer of an event', () => {
  it.each(['0', '7', String(1n << 300n)])('is read: %s', (text) => {
    expect(of(text).integer('value')).toBe(BigInt(text));
  });

  it.each(['', '00', '07', '-1', '+1', '1.0', '1e3', ' 1', '0x1', 1, null, undefined])(
    'is refused: %j',
    (value) => {
      expect(() => of(value).integer('value')).toThrow(FieldError);
    },
  );
});

describe('the largest number of a field', () => {
  it.each([
    ['u64', (1n << 64n) - 1n],
    ['amount', (1n << 255n) - 1n],
  ] as const)('is read, and one more is refused: %s', (kind, largest) => {
    expect(of(String(largest))[kind]('value')).toBe(largest);
    expect(() => of(String(largest + 1n))[kind]('value')).toThrow(FieldError);
  });
});
