import { expect, test } from 'vitest';
import { createApi } from '../../src/api/api.ts';
import { NOT_SHOWN_YET, walkHeight } from '../../src/api/as-of.ts';
import { createCursorCodec } from '../../src/api/cursor.ts';
import { readIdentity } from '../../src/api/identity.ts';
import type { Route, RouteContext } from '../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { holdersRoute } from '../../src/modules/rights/routes/holders.ts';
import { settlementsRoute } from '../../src/modules/settlement/routes/settlements.ts';
import type { Store } from '../../src/store/store.ts';

/** Walks whose cursor was made by an API process that shows a newer block than this one. */

const AHEAD = 12;
const LIST: Route = {
  path: '/v1/list',
  query: ['cursor'],
  cache: 'head',
  handle: ({ query }, { snapshot }) => ({ parts: [String(walkHeight(snapshot, query.get('cursor') ?? ''))] }),
};

/** An API that shows height 11, and AHEAD as soon as it has waited for `shownAfterMs`. */
async function answerTo(target: string, shownAfterMs: number) {
  let nowMs = 0;
  const clock = {
    nowMs: () => nowMs,
    sleep: (ms: number) => {
      nowMs += ms;
      return Promise.resolve();
    },
  };
  const reported: unknown[] = [];
  const api = createApi({
    // nothing is read
    readers: [{} as Store],
    state: {
      current: () => ({ ...EMPTY_SNAPSHOT, indexedHeight: nowMs < shownAfterMs ? AHEAD - 1 : AHEAD }),
    },
    chain: readIdentity(new Map(), 'test-1', 'test', 'aeva'),
    cursorKey: new Uint8Array(32),
    openapi: new Uint8Array(0),
    clock,
    routes: [LIST],
    reportError: (error) => reported.push(error),
  });
  const { status, headers, body } = await api.handle('GET', target);
  return { status, retryAfter: new Map(headers).get('retry-after'), body: String(body), reported, nowMs };
}

test('wait for the block', async () => {
  expect(await answerTo(`/v1/list?cursor=${AHEAD}`, 250)).toMatchObject({
    status: 200,
    body: '12',
    nowMs: 250,
  });
  expect(await answerTo(`/v1/list?cursor=${AHEAD - 1}`, 250)).toMatchObject({
    status: 200,
    body: '11',
    nowMs: 0,
  });
});

test('are told to come again where it does not come', async () => {
  expect(await answerTo(`/v1/list?cursor=${AHEAD}`, 60_000)).toMatchObject({
    status: 503,
    retryAfter: '1',
    reported: [],
    nowMs: 2000,
  });
});

test('are those of holders and of settlements', async () => {
  const cursors = createCursorCodec(new Uint8Array(32));
  const context = {
    snapshot: { ...EMPTY_SNAPSHOT, indexedHeight: AHEAD - 1 },
    cursors,
    query: () => Promise.reject(new Error('nothing is to be read')),
  } as unknown as RouteContext;
  const assetId = 'ab'.repeat(32);
  const ask = async ({ path, handle }: Route, scope: readonly string[], ...key: readonly string[]) => {
    const cursor = cursors.encodeKey([path, ...scope], [String(AHEAD), ...key]);
    const params = new Map([
      ['id', assetId],
      ['kind', '1'],
    ]);
    return handle({ params, query: new Map([['cursor', cursor]]) }, context);
  };
  await expect(ask(holdersRoute, [assetId, '1'], '5', 'ann')).rejects.toThrow(NOT_SHOWN_YET);
  await expect(ask(settlementsRoute, ['', ''], '7')).rejects.toThrow(NOT_SHOWN_YET);
});
