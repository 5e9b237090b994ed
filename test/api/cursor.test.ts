import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cursor, createCursorCodec, deriveCursorKey } from '../../src/api/cursor.ts';

const codec = createCursorCodec(deriveCursorKey('9001', 1));
const badRequest = expect.objectContaining({ code: 'bad_request' });

const cursors: fc.Arbitrary<Cursor> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('next' as const, 'prev' as const),
    key: fc.record({ height: fc.maxSafeNat(), txIndex: fc.nat(0xffffffff) }),
  }),
  fc.record({ kind: fc.constant('last' as const), pageSize: fc.integer({ min: 1, max: 100 }) }),
);
const scopes = fc.array(fc.string(), { maxLength: 3 });

describe('cursor', () => {
  test('opens to what it was made of, within its own route and filter', () => {
    fc.assert(
      fc.property(scopes, cursors, (scope, cursor) => {
        expect(codec.decode(scope, codec.encode(scope, cursor))).toEqual(cursor);
      }),
    );
  });

  test('is a bad request on every other route or filter', () => {
    fc.assert(
      fc.property(scopes, scopes, cursors, (scope, other, cursor) => {
        fc.pre(JSON.stringify(scope) !== JSON.stringify(other));
        expect(() => codec.decode(other, codec.encode(scope, cursor))).toThrow(badRequest);
      }),
    );
  });

  test('is a bad request when any character is changed, dropped or added', () => {
    const changes = fc.record({
      at: fc.nat(60),
      text: fc.constantFrom('', 'A', 'B', '-', '_', '=', '+', ' ', 'AA'),
    });
    fc.assert(
      fc.property(cursors, changes, (cursor, { at, text }) => {
        const made = codec.encode(['/v1/txs'], cursor);
        const tampered = made.slice(0, at) + text + made.slice(at + 1);
        fc.pre(tampered !== made);
        expect(() => codec.decode(['/v1/txs'], tampered)).toThrow(badRequest);
      }),
      { numRuns: 2000 },
    );
  });

  test('is a bad request when it is any other text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.base64String()), (text) => {
        expect(() => codec.decode(['/v1/txs'], text)).toThrow(badRequest);
      }),
    );
  });

  test('of another chain or schema is a bad request', () => {
    const made = codec.encode([], { kind: 'last', pageSize: 5 });
    for (const key of [deriveCursorKey('9002', 1), deriveCursorKey('9001', 2)]) {
      expect(() => createCursorCodec(key).decode([], made)).toThrow(badRequest);
    }
  });
});
