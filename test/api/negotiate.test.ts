import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createCompressor } from '../../src/api/compressor.ts';
import { listsEtag, preferredCoding } from '../../src/api/negotiate.ts';

describe('Accept-Encoding', () => {
  test.each([
    ['', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;Q=0.9, Br;q=0.8', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0.000', undefined],
    ['*', 'br'],
    ['br;q=0, *;q=0.1', 'gzip'],
    ['*;q=0', undefined],
    ['gzip, *;q=0', 'gzip'],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip;q=0.9', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity;q=0, deflate', undefined],
    ['gzip;q=2', undefined],
    ['gzip;q=x, br;q=', undefined],
    ['gzip ; q = 0.3', 'gzip'],
    ['deflate, zstd', undefined],
    [',,;q=1,', undefined],
    [`gzip${' '.repeat(2000)}`, undefined],
  ] as const)('%j gives %s', (header, coding) => {
    expect(preferredCoding(header)).toBe(coding);
    expect(preferredCoding(header)).toBe(coding);
  });

  test('more texts than are remembered are read all the same', () => {
    for (let i = 1; i < 500; i++) expect(preferredCoding(`gzip;q=0.${i}, nothing-${i}`)).toBeDefined();
  });
});

test('If-None-Match compares weakly', () => {
  const etag = 'W/"aB-_9"';
  for (const header of [etag, '"aB-_9"', `"x", ${etag}`, `"x","aB-_9" ,"y"`, '*', ' * ']) {
    expect(listsEtag(header, etag), header).toBe(true);
  }
  for (const header of ['"x"', 'aB-_9', '"aB-_9', 'W/"xaB-_9"', '"aB-_9x"', '**']) {
    expect(listsEtag(header, etag), header).toBe(false);
  }
});

describe('compressor', () => {
  const text = Buffer.from('{"strata":1}'.repeat(500));

  test('gives the same bytes each time, and nothing where nothing is won', async () => {
    const { compress } = createCompressor();
    const [one, two] = await Promise.all([compress(text, 'gzip'), compress(text, 'gzip')]);
    expect(one).toEqual(two);
    expect(gunzipSync(one ?? '').equals(text)).toBe(true);
    expect(await compress(gzipSync(text), 'br')).toBeUndefined();
    expect(await compress(gzipSync(text), 'gzip')).toBeUndefined();
  });

  test('runs so many at once and no more, and takes up again', async () => {
    const { compress } = createCompressor(2);
    const found = await Promise.all([1, 2, 3, 4].map(() => compress(text, 'br')));
    expect(found.map((body) => body !== undefined)).toEqual([true, true, false, false]);
    expect(await compress(text, 'br')).toBeDefined();
  });
});
