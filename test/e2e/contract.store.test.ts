import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Api, createApi } from '../../src/api/api.ts';
import { readIdentity } from '../../src/api/identity.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import type { Store } from '../../src/store/store.ts';
import { routes } from '../support/contract.ts';
import { fixedState, TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { HRP, readFixture } from '../support/oracle.ts';
import { checkAnswer, routeOf } from './support/checked.ts';
import { openRecordedApi, type RecordedApi } from './support/recorded-api.ts';
import { FOUND, HEAD } from './support/requests.ts';

/** Every served route against openapi.yaml, its errors included; `ask` judges each answer. */

let t: RecordedApi;
beforeAll(async () => {
  t = await openRecordedApi(HEAD);
}, 120_000);
afterAll(async () => {
  expect(t.reported).toEqual([]);
  await t.close();
});

describe('the document and the routes', () => {
  test('name the same paths', () => {
    const documented = routes().map(({ path }) => path);
    const served = [...ROUTES, ...MODULE_ROUTES].map(({ path }) => path);
    expect(served.sort()).toEqual(documented.toSorted());
    expect(Object.keys(FOUND).sort()).toEqual(ROUTES.map(({ path }) => path).sort());
  });

  test.each([...ROUTES, ...MODULE_ROUTES])(
    '$path reads the query parameters that the document names',
    ({ path, query }) => {
      const documented = routes().find((route) => route.path === path);
      expect([...query].sort()).toEqual(documented?.queryNames.toSorted());
    },
  );

  test('the document is served as it stands in the repository', async () => {
    const answer = await t.ask('/openapi.yaml');
    expect(answer.headers.get('content-type')).toBe('application/yaml');
    expect(answer.text).toBe(readFixture('../../../openapi.yaml').toString('utf8'));
  });
});

describe('every served route', () => {
  test.each(Object.entries(FOUND))('%s answers 200 as documented', async (path, target) => {
    expect(routeOf(target)).toBe(path);
    const answer = await t.ask(target);
    expect(answer.status).toBe(200);
    if (path !== '/openapi.yaml')
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    for (const name of answer.headers.keys()) expect(name).not.toMatch(/^(set-cookie|access-control-.*)$/);
  });

  test.each(Object.values(FOUND))('%s answers 405 to what is no GET', async (target) => {
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH'])
      await t.expectError(target, 405, method);
  });

  test.each(Object.values(FOUND))(
    '%s answers 500 without a word on why when the store fails',
    async (target) => {
      const secret = 'Code: 60. DB::Exception: SELECT x FROM txs (/data/store/engine.ts:1:2)\n    at query';
      const reported: unknown[] = [];
      const api = failingApi(() => Promise.reject(new StrataError('store_query_failed', secret)), reported);
      const answer = checkAnswer(target, await api.handle('GET', target));
      // these two ask the store nothing
      if (target === '/openapi.yaml' || target === '/v1/status') {
        expect([answer.status, reported]).toEqual([200, []]);
        return;
      }
      expect([answer.status, answer.json]).toEqual([500, { error: 'internal error', code: 'internal' }]);
      expect(reported.length).toBeGreaterThan(0);
    },
  );

  test('a query slower than its deadline is a 500 that says so', async () => {
    const api = failingApi(() => new Promise(() => undefined), [], 20);
    const answer = checkAnswer('/v1/blocks', await api.handle('GET', '/v1/blocks'));
    expect([answer.status, answer.json]).toEqual([500, { error: 'deadline exceeded', code: 'internal' }]);
  });
});

/** An API whose store fails as `query` does. */
function failingApi(query: Store['query'], reported: unknown[], deadlineMs?: number): Api {
  const none = () => Promise.resolve();
  return createApi({
    readers: [{ name: 'failing', query, command: none, insertNativeFiles: none, close: none }],
    state: fixedState(() => ({
      ...EMPTY_SNAPSHOT,
      indexedHeight: HEAD,
      firstHeight: 1,
      latestBlockTimeNs: 0n,
      chainHeight: HEAD,
    })),
    chain: readIdentity(new Map(), '9001', HRP, 'aeva'),
    cursorKey: TEST_CURSOR_KEY,
    openapi: readFixture('../../../openapi.yaml'),
    clock: systemClock,
    reportError: (error) => reported.push(error),
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}
