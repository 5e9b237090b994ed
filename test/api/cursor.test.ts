import { createHmac, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cursor, createCursorCodec } from '../../src/api/cursor.ts';
import {
  assetIdField,
  heightField,
  int32Field,
  int256Field,
  uint32Field,
  uint64Field,
} from '../../src/api/cursor-fields.ts';

const KEY = randomBytes(32);
const codec = createCursorCodec(() => KEY);
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

  test.each([
    [['/v1/txs', '', 'a']],
    [['/v1/txs', 'b', '']],
    [['/v1/txs', 'a']],
    [['/v1/blocks', 'a', '']],
    [['/v1/txs']],
  ])('of one filter is a bad request with %j', (other) => {
    const made = codec.encode(['/v1/txs', 'a', ''], { kind: 'last', pageSize: 5 });
    expect(() => codec.decode(other, made)).toThrow(badRequest);
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

  test('signed with another key is a bad request', () => {
    const made = codec.encode([], { kind: 'last', pageSize: 5 });
    const other = createCursorCodec(() => randomBytes(32));
    expect(() => other.decode([], made)).toThrow(badRequest);
  });
});

/** What who has the key can make. */
function sealed(scope: readonly string[], payload: Uint8Array): string {
  const tag = createHmac('sha256', KEY)
    .update(payload)
    .update(JSON.stringify(scope))
    .digest()
    .subarray(0, 16);
  return Buffer.concat([payload, tag]).toString('base64url');
}

describe('a cursor that somebody signed with the real key', () => {
  const SCOPE = ['/v1/txs', '', ''];

  test('asks for no more than a page', () => {
    for (const pageSize of [0, 101, 255]) {
      const payload = Buffer.alloc(15);
      payload.set([1, 2, pageSize]);
      expect(() => codec.decode(SCOPE, sealed(SCOPE, payload))).toThrow(badRequest);
    }
  });

  test('opens to a cursor that we would make, or is a bad request', () => {
    const payloads = fc.oneof(
      fc.uint8Array({ minLength: 15, maxLength: 15 }),
      // nearer to the real ones
      fc
        .tuple(fc.integer({ min: 0, max: 3 }), fc.uint8Array({ minLength: 13, maxLength: 13 }))
        .map(([kind, rest]) => new Uint8Array([1, kind, ...rest])),
    );
    fc.assert(
      fc.property(payloads, (payload) => {
        const text = sealed(SCOPE, payload);
        const outcome = attempt(() => codec.decode(SCOPE, text));
        if (!('value' in outcome)) {
          expect(outcome.error).toEqual(badRequest);
          return;
        }
        expect(codec.encode(SCOPE, outcome.value)).toBe(text);
        if (outcome.value.kind === 'last') expect(outcome.value.pageSize).toBeLessThanOrEqual(100);
        else expect(Number.isSafeInteger(outcome.value.key.height)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test('gives values of the types and ranges of its list, or is a bad request', () => {
    const fields = [heightField, int32Field, uint32Field, uint64Field, int256Field, assetIdField] as const;
    const good = ['9', '-1', '4294967295', '18446744073709551615', '-7', 'ab'.repeat(32)];
    expect(codec.decodeKey(SCOPE, codec.encodeKey(SCOPE, good), fields)).toEqual([
      9,
      -1,
      4294967295,
      18446744073709551615n,
      -7n,
      'ab'.repeat(32),
    ]);
    const value = fc.oneof(fc.jsonValue(), fc.bigInt().map(String), fc.double().map(String), fc.string());
    fc.assert(
      fc.property(fc.nat(5), value, (at, changed) => {
        const key = good.map((text, i) => (i === at ? changed : text));
        const payload = Buffer.from(JSON.stringify([1, ...key]));
        fc.pre(payload.length <= 1000);
        const outcome = attempt(() => codec.decodeKey(SCOPE, sealed(SCOPE, payload), fields));
        if ('value' in outcome) expect(outcome.value.map(String)).toEqual(key);
        else expect(outcome.error).toEqual(badRequest);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    '',
    'nonsense',
    '{}',
    '[]',
    '[2,"9"]',
    '[1]',
    '[1,"9","9"]',
    '[1,9]',
    '[1,null]',
    '[1,["9"]]',
    '\xff',
  ])('that holds %j is a bad request', (text) => {
    const made = sealed(SCOPE, Buffer.from(text, 'latin1'));
    expect(() => codec.decodeKey(SCOPE, made, [heightField] as const)).toThrow(badRequest);
  });
});

function attempt<T>(work: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}
