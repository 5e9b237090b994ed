import { expect, test } from 'vitest';
import { createApi } from '../../src/api/api.ts';
import { NOT_SHOWN_YET, walkHeight } from '../../src/api/as-of.ts';
import { createCursorCodec } from '../../src/api/cursor.ts';
import { readIdentity } from '../../src/api/identity.ts';
import type { Route, RouteContext } from '../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { openChainState } from '../../src/api/state.ts';
import { holdersRoute } from '../../src/modules/rights/routes/holders.ts';
import { settlementsRoute } from '../../src/modules/settlement/routes/settlements.ts';
import { migrate } from '../../src/store/migrations.ts';
import type { Store } from '../../src/store/store.ts';
import { TEST_CURSOR_KEY } from '../support/fixed-state.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Walks whose cursor was made by an API process that shows a newer block than this one. */

const AHEAD = 12;
const LIST: Route = {
  path: '/v1/list',
  query: ['cursor'],
  cache: 'head',
  handle: ({ query }, { snapshot }) => ({
    parts: [String(walkHeight(snapshot, Number(query.get('cursor'))))],
  }),
};

/** An API that shows height 11; the store is at `stored`, and the chain at `chainHeight` as far as the store knows. */
async function answerTo(target: string, stored: number, chainHeight = stored) {
  let indexedHeight = AHEAD - 1;
  let looks = 0;
  let sleeps = 0;
  const clock = {
    nowMs: () => 0,
    sleep: () => {
      sleeps++;
      return Promise.resolve();
    },
  };
  const reported: unknown[] = [];
  const api = createApi({
    // nothing is read
    readers: [{} as Store],
    state: {
      current: () => ({ ...EMPTY_SNAPSHOT, indexedHeight, chainHeight }),
      refresh: () => {
        looks++;
        indexedHeight = stored;
        return Promise.resolve();
      },
    },
    chain: readIdentity(new Map(), 'test-1', 'test', 'aeva'),
    cursorKey: TEST_CURSOR_KEY,
    openapi: new Uint8Array(0),
    clock,
    routes: [LIST],
    reportError: (error) => reported.push(error),
  });
  const { status, headers, body } = await api.handle('GET', target);
  const retryAfter = new Map(headers).get('retry-after');
  return { status, retryAfter, body: String(body), reported, looks, sleeps };
}

test('find a block that the store has after one look', async () => {
  expect(await answerTo(`/v1/list?cursor=${AHEAD}`, AHEAD)).toMatchObject({
    status: 200,
    body: '12',
    looks: 1,
  });
  expect(await answerTo(`/v1/list?cursor=${AHEAD - 1}`, AHEAD)).toMatchObject({
    status: 200,
    body: '11',
    looks: 0,
  });
});

test('are asked to come again, without a wait, for a block that only the chain has', async () => {
  expect(await answerTo(`/v1/list?cursor=${AHEAD}`, AHEAD - 1, AHEAD)).toMatchObject({
    status: 503,
    retryAfter: '1',
    reported: [],
    looks: 1,
    sleeps: 0,
  });
});

test('are refused, without a wait, for a height that nobody has heard of', async () => {
  expect(await answerTo(`/v1/list?cursor=${2 ** 40}`, AHEAD, AHEAD + 5)).toMatchObject({
    status: 400,
    reported: [],
    looks: 1,
    sleeps: 0,
  });
});

test('share their looks into the store, however many come', async () => {
  const folder = await temporaryFolder();
  const factory = await openTestStores(folder.path);
  const writer = await factory.open('writer');
  await migrate(writer);
  let nowMs = 1_000;
  let readings = 0;
  const clock = {
    nowMs: () => nowMs,
    sleep: (ms: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal?.aborted === true) resolve();
        else if (signal !== undefined) signal.addEventListener('abort', () => resolve(), { once: true });
        else
          setImmediate(() => {
            nowMs += ms;
            resolve();
          });
      }),
  };
  const state = await openChainState({
    store: writer,
    clock,
    alsoRead: () => {
      readings++;
      return Promise.resolve();
    },
    reportError: () => {},
  });
  expect(readings).toBe(1);
  await Promise.all(Array.from({ length: 1000 }, () => state.refresh()));
  expect(readings).toBe(2);
  // a look that began before the call does not count
  const first = state.refresh();
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  await Promise.all([first, state.refresh()]);
  expect(readings).toBe(4);
  await state.close();
  await factory.close();
  await folder.remove();
});

test('are those of holders and of settlements', async () => {
  const cursors = createCursorCodec(TEST_CURSOR_KEY);
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
