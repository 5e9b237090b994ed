import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpAnswer } from '../../src/api/answer.ts';
import { createApi } from '../../src/api/api.ts';
import { readIdentity } from '../../src/api/identity.ts';
import { matchPath, validateAnswer, validateHeaders } from '../support/contract.ts';
import { TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { CHAIN_ID, HRP, hashOf } from './support/model-chain.ts';
import { OPENAPI_TEXT, openTestApi, type TestApi } from './support/test-api.ts';

/** ETags, 304, cache-control and compressed forms, as a client sees them. */

let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(11);
  t.chain.grow(30);
  await t.commit();
});
afterAll(() => t.close());

async function get(target: string, acceptEncoding = '', ifNoneMatch = '', api = t.api): Promise<HttpAnswer> {
  const answer = await api.handle('GET', target, acceptEncoding, ifNoneMatch);
  const route = matchPath(target) ?? '';
  expect(validateHeaders(route, answer.status, new Map(answer.headers))).toEqual([]);
  if (answer.status === 304) {
    expect(answer.body.length).toBe(0);
    expect(validateAnswer(route, 304, undefined)).toEqual([]);
  }
  return answer;
}

const header = (answer: HttpAnswer, name: string) => new Map(answer.headers).get(name);
const txTarget = (code: number, below = t.chain.head.height) =>
  `/v1/txs/${hashOf(t.chain.txs.find((tx) => (tx.code === 0) === (code === 0) && tx.height < below) as never)}`;
const targets = () => [
  '/openapi.yaml',
  '/v1/stats',
  '/v1/blocks?limit=3',
  '/v1/blocks/7',
  '/v1/txs?limit=100',
  txTarget(0),
  `/v1/lookup/${t.chain.head.height}`,
];

describe('ETag', () => {
  test('an answer that is asked for again by its tag is a 304 with the same headers', async () => {
    for (const target of targets()) {
      const first = await get(target);
      const etag = header(first, 'etag') ?? '';
      for (const accept of ['', 'gzip', 'br']) {
        const again = await get(target, accept, etag);
        expect([again.status, target]).toEqual([304, target]);
        for (const name of ['etag', 'cache-control', 'vary']) {
          expect(header(again, name)).toBe(header(first, name));
        }
        expect(header(again, 'content-type')).toBeUndefined();
        expect(header(await get(target, accept), 'etag')).toBe(etag);
      }
      expect((await get(target, '', 'W/"other"')).status).toBe(200);
    }
  });

  test('is the same on every API process over the same store', async () => {
    const other = createApi({
      readers: [await t.factory.open('other')],
      state: t.state,
      chain: readIdentity(new Map(), CHAIN_ID, HRP, 'aeva'),
      cursorKey: TEST_CURSOR_KEY,
      openapi: Buffer.from(OPENAPI_TEXT),
      clock: systemClock,
      reportError: () => {},
    });
    for (const target of targets()) {
      const etag = header(await get(target), 'etag');
      expect(etag).toBeDefined();
      expect(header(await get(target, '', '', other), 'etag')).toBe(etag);
    }
  });

  test('changes with what it stands for', async () => {
    const before = new Map(
      await Promise.all(targets().map(async (target) => [target, await get(target)] as const)),
    );
    t.chain.grow(1, [{ code: 0 }]);
    await t.commit();
    const changed: string[] = [];
    for (const [target, answer] of before) {
      const now = await get(target, '', header(answer, 'etag'));
      if (now.status === 200) changed.push(target);
    }
    expect(changed).toEqual(['/v1/stats', '/v1/blocks?limit=3', '/v1/txs?limit=100']);
  });

  test('errors and the status have none, and are not stored', async () => {
    for (const target of ['/v1/status', '/v1/txs/xyz', '/v1/blocks/999999']) {
      const answer = await get(target, 'gzip', '*');
      expect(answer.status).not.toBe(304);
      expect(header(answer, 'cache-control')).toBe('no-store');
    }
  });
});

test('cache-control: immutable below the head, for what can still change no-cache', async () => {
  const head = t.chain.head.height;
  const control = async (target: string) => header(await get(target), 'cache-control');
  const immutable = 'public, max-age=604800, immutable';
  expect(await control(`/v1/blocks/${head - 1}`)).toBe(immutable);
  expect(await control(`/v1/blocks/${head}`)).toBe('public, no-cache');
  expect(await control(txTarget(0))).toBe(immutable);
  // a failed tx may be included again and succeed
  expect(await control(txTarget(1))).toBe('public, no-cache');
  const atHead = t.chain.head.txs.find((tx) => tx.code === 0);
  expect(await control(`/v1/txs/${hashOf(atHead as never)}`)).toBe('public, no-cache');
  for (const target of ['/v1/txs', '/v1/stats', '/v1/blocks', '/openapi.yaml', '/v1/lookup/7']) {
    expect(await control(target)).toBe('public, no-cache');
  }
  // what was the head is below it now
  t.chain.grow(1);
  await t.commit();
  expect(await control(`/v1/blocks/${head}`)).toBe(immutable);
});

describe('compressed forms', () => {
  test('hold the plain body, are made once, and go only to who asks', async () => {
    const target = '/v1/txs?limit=50';
    const plain = await get(target);
    expect(header(plain, 'content-encoding')).toBeUndefined();
    expect(header(plain, 'vary')).toBe('accept-encoding');
    const [gzip, same] = await Promise.all([get(target, 'gzip'), get(target, 'gzip;q=0.5')]);
    const br = await get(target, 'gzip, br');
    expect(header(gzip, 'content-encoding')).toBe('gzip');
    expect(header(br, 'content-encoding')).toBe('br');
    expect(gunzipSync(gzip.body).equals(plain.body)).toBe(true);
    expect(brotliDecompressSync(br.body).equals(plain.body)).toBe(true);
    expect(same.body).toBe(gzip.body);
    expect((await get(target, 'gzip')).body).toBe(gzip.body);
    expect((await get(target)).body).toBe(plain.body);
  });

  test('small bodies go as they are', async () => {
    const answer = await get('/v1/lookup/7', 'gzip, br');
    expect(header(answer, 'content-encoding')).toBeUndefined();
    expect(header(answer, 'vary')).toBe('accept-encoding');
  });
});
