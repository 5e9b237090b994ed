import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { describe, expect, test } from 'vitest';
import {
  parseAddress,
  parseHeight,
  parseLimit,
  parseMethod,
  parseTxHash,
  readAddress,
} from '../../src/api/params.ts';
import { parseQuery, parseTarget } from '../../src/api/target.ts';

const badRequest = expect.objectContaining({ code: 'bad_request' });
const bytes20 = Uint8Array.from({ length: 20 }, (_, i) => 17 * i + 3);
const bytes32 = Uint8Array.from({ length: 32 }, (_, i) => i);
const checksummed = toChecksumAddress(bytes20);

describe('limit', () => {
  test('1 to 100, 50 when absent', () => {
    expect(parseLimit(undefined)).toBe(50);
    expect(parseLimit(undefined, 6)).toBe(6);
    expect(parseLimit('1')).toBe(1);
    expect(parseLimit('100')).toBe(100);
  });
  test.each(['0', '101', '-1', '+5', ' 5', '5.0', '1e2', 'ten', '', '99999999999999999999'])(
    '%j is a bad request',
    (text) => expect(() => parseLimit(text)).toThrow(badRequest),
  );
});

describe('height', () => {
  test('a non-negative integer below 2^63', () => {
    expect(parseHeight('0')).toBe(0n);
    expect(parseHeight('9223372036854775807')).toBe(2n ** 63n - 1n);
  });
  test.each(['9223372036854775808', '-1', '1.5', 'latest', '0x10', '1'.repeat(5000)])(
    '%j is a bad request',
    (text) => expect(() => parseHeight(text)).toThrow(badRequest),
  );
});

describe('tx hash', () => {
  test('64 hex in any case is a consensus hash, 0x and 64 hex an eth hash', () => {
    expect(parseTxHash('AB'.repeat(32))).toEqual({ kind: 'consensus', hex: 'ab'.repeat(32) });
    expect(parseTxHash(`0x${'Ab'.repeat(32)}`)).toEqual({ kind: 'eth', hex: 'ab'.repeat(32) });
  });
  test.each(['', 'ab', 'ab'.repeat(31), `${'ab'.repeat(32)}c`, `0x${'ab'.repeat(31)}`, 'zz'.repeat(32)])(
    '%j is a bad request',
    (text) => expect(() => parseTxHash(text)).toThrow(badRequest),
  );
});

describe('method', () => {
  test('a slash and a proto full name', () => {
    expect(parseMethod('/cosmos.bank.v1beta1.MsgSend')).toBe('/cosmos.bank.v1beta1.MsgSend');
    expect(parseMethod(undefined)).toBeUndefined();
  });
  test.each([
    '',
    '/',
    'cosmos.bank.v1beta1.MsgSend',
    '/a..b',
    '/a.',
    '/.a',
    '/1a',
    "/a'b",
    '/a/b',
    '/a b',
    '/a\n',
  ])('%j is a bad request', (text) => expect(() => parseMethod(text)).toThrow(badRequest));
});

describe('address', () => {
  const bech32 = encodeBech32('cosmos', bytes20);
  test('every form of one key reads as the same account', () => {
    const forms = [
      bech32,
      bech32.toUpperCase(),
      checksummed,
      checksummed.toLowerCase(),
      checksummed.toUpperCase(),
    ];
    for (const form of forms) {
      expect(parseAddress(form, 'cosmos')).toMatchObject({ bech32, evmAddress: checksummed });
    }
  });
  test('a key of 32 bytes has no 0x form', () => {
    const module = encodeBech32('cosmos', bytes32);
    expect(parseAddress(module, 'cosmos')).toMatchObject({ bech32: module, evmAddress: null });
  });
  test.each([
    ['another prefix', encodeBech32('osmo', bytes20)],
    ['a validator', encodeBech32('cosmosvaloper', bytes20)],
    ['a wrong bech32 checksum', `${bech32.slice(0, -1)}${bech32.endsWith('q') ? 'p' : 'q'}`],
    ['bech32 in mixed case', `${bech32.slice(0, -1)}${bech32.slice(-1).toUpperCase()}Q`],
    ['an odd length', encodeBech32('cosmos', bytes20.subarray(1))],
    ['a wrong EIP-55 checksum', swapCase(checksummed)],
    ['too few digits', checksummed.slice(0, -1)],
    ['nothing', ''],
    ['text', 'alice'],
  ])('%s is a bad request', (_, text) => {
    expect(() => parseAddress(text, 'cosmos')).toThrow(badRequest);
    expect(readAddress(text, 'cosmos')).toBeUndefined();
  });
});

describe('target', () => {
  test('segments are percent-decoded one by one', () => {
    expect(parseTarget('/v1/lookup/a%2Fb%20c?x=1')).toEqual({
      segments: ['v1', 'lookup', 'a/b c'],
      rawQuery: 'x=1',
    });
  });
  test.each(['/v1/%zz', '/v1/%', '/%ff', '/%c0%80', 'v1', `/${'a'.repeat(8192)}`])(
    '%j is a bad request',
    (target) => expect(() => parseTarget(target)).toThrow(badRequest),
  );
  test('of a repeated query parameter the first counts, unknown ones are ignored', () => {
    const query = parseQuery('limit=3&x=%zz&limit=9&%zz=1&&=&cursor', ['limit', 'cursor']);
    expect([...query]).toEqual([
      ['limit', '3'],
      ['cursor', ''],
    ]);
  });
  test('a bad percent escape in a parameter that counts is a bad request', () => {
    expect(() => parseQuery('limit=%zz', ['limit'])).toThrow(badRequest);
  });
});

/** The same digits with the case of every letter turned: a wrong checksum in mixed case. */
function swapCase(address: string): string {
  const turned = [...address.slice(2)].map((c) =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  );
  return `0x${turned.join('')}`;
}
