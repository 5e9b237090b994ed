import fc from 'fast-check';
import { encodeBech32 } from 'strata-kit/address';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiOptions, createApi } from '../../src/api/api.ts';
import { readIdentity } from '../../src/api/identity.ts';
import type { Snapshot } from '../../src/api/route.ts';
import { ROUTES } from '../../src/api/routes.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { MODULE_ROUTES } from '../../src/modules/modules.ts';
import type { Store } from '../../src/store/store.ts';
import { routes } from '../support/contract.ts';
import { fixedState, TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { ACCOUNTS, FIRST_HEIGHT } from './support/model-chain.ts';
import { ask, openTestApi, type TestApi } from './support/test-api.ts';

let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(3);
});
afterAll(() => t.close());

const HASH = 'ab'.repeat(32);
const ADDRESS = ACCOUNTS[0] as string;

async function expectError(target: string, status: number, code: string, method = 'GET'): Promise<string> {
  const answer = await ask<{ error: string; code: string }>(t.api, target, method);
  expect({ target, status: answer.status, code: answer.json.code }).toEqual({ target, status, code });
  expect(Object.keys(answer.json)).toEqual(['error', 'code']);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return answer.json.error;
}

describe('while nothing is indexed', () => {
  test('lists are empty, status tells height 0, blocks and txs are 404', async () => {
    expect((await ask(t.api, '/v1/status')).json).toMatchObject({
      indexed_height: 0,
      chain_height: 0,
      lag_blocks: 0,
      latest_block_time: '1970-01-01T00:00:00Z',
    });
    expect((await ask(t.api, '/v1/stats')).json).toMatchObject({
      indexed_height: 0,
      tx_count: 0,
      latest_txs: [],
    });
    expect((await ask(t.api, '/v1/blocks')).json).toEqual({ blocks: [], next_cursor: null });
    const empty = { txs: [], total: 0, next_cursor: null, prev_cursor: null, last_cursor: null, methods: [] };
    expect((await ask(t.api, '/v1/txs')).json).toEqual(empty);
    expect((await ask(t.api, `/v1/accounts/${ADDRESS}/txs`)).json).toEqual(empty);
    expect((await ask(t.api, '/v1/lookup/0')).json).toEqual({ query: '0', candidates: [] });
    await expectError('/v1/blocks/0', 404, 'not_found');
    await expectError('/v1/blocks/1', 404, 'not_found');
    await expectError(`/v1/txs/${HASH}`, 404, 'not_found');
  });
});

describe('with an indexed chain', () => {
  beforeAll(async () => {
    t.chain.grow(20);
    await t.commit();
  });

  test('routes are those of openapi.yaml, with its query parameters', () => {
    const served = [...ROUTES, ...MODULE_ROUTES].map((route) => route.path);
    expect(served.sort()).toEqual(
      routes()
        .map((route) => route.path)
        .sort(),
    );
    for (const route of ROUTES) {
      const documented = routes().find((found) => found.path === route.path);
      expect({ path: route.path, query: [...route.query].sort() }).toEqual({
        path: route.path,
        query: [...(documented?.queryNames ?? [])].sort(),
      });
    }
  });

  test.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'BREW'])(
    '%s is 405 with allow: GET on every path, known or not',
    async (method) => {
      for (const target of [
        '/v1/status',
        '/v1/txs',
        '/v1/assets',
        '/openapi.yaml',
        '/nothing',
        '/%zz',
        '/',
      ]) {
        await expectError(target, 405, 'method_not_allowed', method);
        expect(new Map((await t.api.handle(method, target)).headers).get('allow')).toBe('GET');
      }
    },
  );

  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/txs/',
    '/v1//txs',
    '//v1/txs',
    '/v1/blocks/1/txs',
    '/v2/txs',
    '/V1/txs',
    '/health',
    '/metrics',
    '/v1/../v1/txs',
    '/v1/txs%2F',
  ])('%s matches no route: 404', async (target) => {
    await expectError(target, 404, 'not_found');
  });

  const altered = (text: string) => `${text.slice(0, -1)}${text.endsWith('q') ? 'p' : 'q'}`;
  test.each([
    ['/v1/stats', ['?limit=0', '?limit=101', '?limit=x', '?limit=']],
    ['/v1/blocks', ['?limit=0', '?limit=101', '?limit=-1', '?cursor=', '?cursor=abc', '?cursor=%00']],
    ['/v1/blocks', ['/-1', '/1.0', '/x', '/0x1', '/9223372036854775808']],
    [
      '/v1/txs',
      ['?limit=0', '?limit=101', '?limit=1e1', '?cursor=x', '?method=', '?method=MsgSend', '?method=/'],
    ],
    ['/v1/txs', ['/1', `/${HASH}0`, `/0x${HASH}0`, `/${HASH.slice(2)}`, `/${'zz'.repeat(32)}`, '/%00']],
    [
      `/v1/accounts/${ADDRESS}/txs`,
      ['?limit=0', '?cursor=x', '?method=x', "?method=/a'b", '?method=%2Fa%00'],
    ],
    [
      '/v1/accounts',
      [
        altered(ADDRESS),
        encodeBech32('osmo', new Uint8Array(20)),
        encodeBech32('cosmos', new Uint8Array(21)),
        '0x12',
        'x',
      ].map((address) => `/${address}/txs`),
    ],
    ['/v1', ['/txs?limit=%zz', '/lookup/%zz', '/%ff', '/lookup/%c0%80', '/%']],
  ])('%s is a 400 with %j', async (path, suffixes) => {
    for (const suffix of suffixes) await expectError(path + suffix, 400, 'bad_request');
  });

  test('a cursor of another route or filter, or a damaged one, is a 400', async () => {
    const cursorOf = async (target: string) =>
      (await ask<{ next_cursor: string }>(t.api, target)).json.next_cursor;
    const blocks = await cursorOf('/v1/blocks?limit=1');
    const txs = await cursorOf('/v1/txs?limit=1');
    const method = await cursorOf('/v1/txs?limit=1&method=/t.bank.v1.MsgSend');
    const account = await cursorOf(`/v1/accounts/${ADDRESS}/txs?limit=1`);
    for (const target of [
      `/v1/txs?cursor=${blocks}`,
      `/v1/blocks?cursor=${txs}`,
      `/v1/txs?cursor=${method}`,
      `/v1/txs?method=/t.gov.v1.MsgVote&cursor=${method}`,
      `/v1/txs?method=/t.bank.v1.MsgSend&cursor=${txs}`,
      `/v1/accounts/${ADDRESS}/txs?cursor=${txs}`,
      `/v1/accounts/${ACCOUNTS[1]}/txs?cursor=${account}`,
      `/v1/accounts/${ADDRESS}/txs?method=/t.gov.v1.MsgVote&cursor=${account}`,
      `/v1/txs?cursor=${txs.slice(0, -2)}`,
      `/v1/txs?cursor=${txs}A`,
      `/v1/txs?cursor=B${txs.slice(1)}`,
    ]) {
      await expectError(target, 400, 'bad_request');
    }
  });

  test('well formed and not there: 404', async () => {
    const above = t.chain.head.height + 1;
    for (const target of [
      `/v1/blocks/${above}`,
      `/v1/blocks/${FIRST_HEIGHT - 1}`,
      '/v1/blocks/9223372036854775807',
      `/v1/txs/${HASH}`,
      `/v1/txs/0x${HASH}`,
    ]) {
      await expectError(target, 404, 'not_found');
    }
  });

  test('a filter that matches nothing is an empty 200', async () => {
    const { status, json } = await ask(t.api, '/v1/txs?method=/t.none.v1.Msg');
    expect(status).toBe(200);
    expect(json).toMatchObject({ txs: [], total: 0, next_cursor: null, last_cursor: null });
    expect(json.methods).not.toEqual([]);
  });

  test('unknown query parameters are ignored, of a repeated one the first counts', async () => {
    const plain = (await ask(t.api, '/v1/blocks?limit=3')).json;
    for (const query of ['limit=3&method=%zz&page=7', 'limit=3&limit=0', 'x&&=&limit=3', '%zz=1&limit=3']) {
      expect((await ask(t.api, `/v1/blocks?${query}`)).json).toEqual(plain);
    }
    await expectError('/v1/blocks?limit=0&limit=3', 400, 'bad_request');
  });

  test('any target is a coded answer', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'v1',
        'txs',
        'blocks',
        'lookup',
        'accounts',
        '%',
        '%2',
        '%00',
        '?',
        '&',
        '=',
        '#',
        '..',
        "'",
        '\\',
      ),
      fc.string({ unit: 'binary' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (pieces) => {
        const answer = await t.api.handle('GET', `/${pieces.join('/')}`);
        expect([200, 400, 404]).toContain(answer.status);
      }),
      { numRuns: 500 },
    );
    expect(t.reported).toEqual([]);
  });

  test('a target that is too long, or a height of too many digits, is a 400', async () => {
    await expectError(`/v1/lookup/${'1'.repeat(9000)}`, 400, 'bad_request');
    await expectError(`/v1/blocks/${'9'.repeat(4000)}`, 400, 'bad_request');
  });
});

describe('when the store fails', () => {
  const snapshot: Snapshot = {
    ...EMPTY_SNAPSHOT,
    indexedHeight: 9,
    firstHeight: 1,
    latestBlockTimeNs: 0n,
    chainHeight: 9,
  };
  const failingApi = (query: Store['query'], reported: unknown[], options: Partial<ApiOptions> = {}) => {
    const none = () => Promise.resolve();
    const store: Store = { name: 'failing', query, command: none, insertNativeFiles: none, close: none };
    return createApi({
      readers: [store],
      state: fixedState(() => snapshot),
      chain: readIdentity(new Map(), '9001', 'cosmos', 'aeva'),
      cursorKey: TEST_CURSOR_KEY,
      openapi: new Uint8Array(),
      clock: systemClock,
      reportError: (error) => reported.push(error),
      ...options,
    });
  };

  test('the answer is an internal error that shows nothing of it, and the operator hears of it', async () => {
    const reported: unknown[] = [];
    const secret = 'Code: 60. DB::Exception: SELECT height FROM txs at /data/engine (x.ts:1:2)';
    const failures = [
      new StrataError('store_query_failed', secret),
      new Error(secret),
      new TypeError(secret),
      secret,
    ];
    for (const failure of failures) {
      const api = failingApi(() => Promise.reject(failure), reported);
      for (const target of ['/v1/txs', '/v1/stats', '/v1/blocks/3', `/v1/lookup/${HASH}`, '/v1/blocks']) {
        const { status, json } = await ask(api, target);
        expect(status).toBe(500);
        expect(json).toEqual({ error: 'internal error', code: 'internal' });
      }
    }
    expect(reported.length).toBeGreaterThanOrEqual(failures.length * 5);
    // and a failure is not kept
    const api = failingApi(() => Promise.reject(new Error(secret)), reported);
    const before = reported.length;
    await ask(api, '/v1/blocks');
    await ask(api, '/v1/blocks');
    expect(reported.length).toBe(before + 2);
  });

  test('a query slower than the deadline is answered 500 once, and carries the engine’s own limit', async () => {
    const reported: unknown[] = [];
    const limits: (number | undefined)[] = [];
    const api = failingApi(
      (_sql, options) => {
        limits.push(options?.timeoutSeconds);
        return new Promise(() => {});
      },
      reported,
      { deadlineMs: 50 },
    );
    expect((await ask(api, '/v1/blocks')).json).toEqual({ error: 'deadline exceeded', code: 'internal' });
    expect(limits).toEqual([1]);
  });
});
