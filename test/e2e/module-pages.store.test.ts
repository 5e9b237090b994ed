import { encodeBech32 } from 'strata-kit/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { seededRandom } from '../support/random.ts';
import { routeOf } from './support/checked.ts';
import { type Json, subjectsOf } from './support/devnet/history.ts';
import { type Model, modelOf } from './support/devnet/model.ts';
import { type List, page, walk, withQuery } from './support/devnet/pages.ts';
import { LISTS, type ModuleRequests, mark, moduleRequests } from './support/devnet/requests.ts';

/** Errors of every module route, and their pages: of any size, and while blocks arrive. */

const BLOCKS = 110;
const NOBODY = encodeBech32('aeva', new Uint8Array(20).fill(7));

let index: IndexedDevnet;
let model: Model;
let requests: ModuleRequests;
/** Every list of the modules, with what it finds: of the busiest account and the assets with most in them. */
let lists: List[];

beforeAll(async () => {
  index = await openDevnetIndex({ seed: 12, blocks: BLOCKS });
  model = await modelOf(index);
  const counts = new Map<string, number>();
  for (const event of model.history.events) {
    for (const account of subjectsOf(event).accounts) counts.set(account, (counts.get(account) ?? 0) + 1);
  }
  const [busiest = ''] = [...counts].sort(([, a], [, b]) => b - a).map(([account]) => account);
  requests = moduleRequests(model, busiest, NOBODY);
  lists = listsOf(busiest);
}, 120_000);
afterAll(async () => {
  expect(index.api.reported).toEqual([]);
  await index.close();
});

function listsOf(account: string): List[] {
  const most = (told: readonly Json[]): string => {
    const counts = new Map<string, number>();
    for (const { fields } of told) counts.set(fields.asset_id, (counts.get(fields.asset_id) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
  };
  const held = most(model.positions.map((fields) => ({ fields })));
  const paid = most(model.told('payout.EventDistributed'));
  const moved = most(model.told('rights.EventTransferred'));
  const [route] = model.told('bridge.EventTransferOut');
  return [
    { target: '/v1/assets', name: 'assets' },
    { target: `/v1/assets/${held}/kinds/0/holders`, name: 'holders' },
    { target: `/v1/assets/${moved}/kinds/0/holders`, name: 'holders' },
    { target: `/v1/assets/${paid}/distributions`, name: 'distributions' },
    { target: `/v1/assets/${moved}/events`, name: 'events' },
    { target: `/v1/accounts/${account}/events`, name: 'events' },
    { target: '/v1/settlements', name: 'settlements' },
    { target: '/v1/settlements?status=settled', name: 'settlements' },
    { target: '/v1/settlements?status=pending', name: 'settlements' },
    { target: `/v1/settlements?party=${account}`, name: 'settlements' },
    { target: '/v1/bridge/transfers', name: 'transfers' },
    { target: '/v1/bridge/transfers?status=rejected', name: 'transfers' },
    { target: `/v1/bridge/transfers?route=${route?.fields.route_id}&status=in_flight`, name: 'transfers' },
    { target: `/v1/bridge/transfers?account=${route?.fields.sender}`, name: 'transfers' },
  ];
}

describe('errors', () => {
  it('are asked for on every module route', () => {
    for (const [path, target] of requests.found) expect(routeOf(target), target).toBe(path);
    expect(new Set(lists.map(({ target }) => routeOf(target)))).toEqual(new Set(LISTS));
  });

  it('are none where there is something', async () => {
    for (const target of requests.found.values()) await index.api.get(target);
  });

  it('are 404 for what is well formed and not there', async () => {
    await expectStatus(requests.absent, 404);
  });

  it('are none for lists and accounts without anything', async () => {
    for (const target of requests.empty) {
      const answer = await index.api.get<Json>(target);
      const rows = Object.values(answer).filter((value) => Array.isArray(value)) as Json[][];
      expect(rows.flat(), target).toEqual([]);
      expect(answer.next_cursor ?? null).toBeNull();
    }
  });

  it('are ten quests that are not done for an account without anything', async () => {
    const answer = await index.api.get<Json>(`/v1/quests/${NOBODY}`);
    expect(answer.completed).toBe(0);
    expect(answer.quests.map(({ done }: Json) => done)).toEqual(new Array(10).fill(false));
  });

  it('are 400 for what does not parse', async () => {
    await expectStatus(requests.malformed, 400);
  });

  it('are 405 for what is no GET', async () => {
    for (const target of requests.found.values())
      for (const method of ['HEAD', 'POST', 'DELETE']) await index.api.expectError(target, 405, method);
  });

  it('are 400 for a cursor of another route or filter, and for one that was changed', async () => {
    const cursors = new Map<string, string>();
    for (const list of lists) {
      const { next } = await page(index.api, list, 1);
      if (next !== null) cursors.set(list.target, next);
    }
    expect(cursors.size).toBeGreaterThan(9);
    for (const [from, cursor] of cursors) {
      for (const { target } of lists) {
        if (target === from) continue;
        await index.api.expectError(withQuery(target, { cursor }), 400);
      }
      const middle = cursor.length >> 1;
      const changed = cursor[middle] === 'A' ? 'B' : 'A';
      const tampered = cursor.slice(0, middle) + changed + cursor.slice(middle + 1);
      await index.api.expectError(withQuery(from, { cursor: tampered }), 400);
      await index.api.expectError(withQuery(from, { cursor: cursor.slice(0, -2) }), 400);
    }
  });

  it('are none for parameters that nobody knows, and of a repeated one the first counts', async () => {
    for (const target of requests.found.values()) {
      const expected = await index.api.get<Json>(target);
      expect(await index.api.get<Json>(`${mark(target)}nobody=knows&this=1`)).toEqual(expected);
    }
    const first = await index.api.get<Json>('/v1/settlements?limit=3');
    expect(await index.api.get<Json>('/v1/settlements?limit=3&limit=x')).toEqual(first);
  });
});

/** All of them, so that a failure names each. */
async function expectStatus(targets: readonly string[], status: 400 | 404): Promise<void> {
  const others: string[] = [];
  for (const target of targets) {
    const answer = await index.api.ask(target);
    const { error } = answer.json as Json;
    if (answer.status !== status || error === 'no such path') others.push(`${answer.status} ${target}`);
  }
  expect(others).toEqual([]);
}

/** How pages are cut: rows one by one only where there are few. */
function limitsFor(rows: number): readonly number[] {
  return rows <= 12 ? [1, 7] : rows <= 40 ? [7] : [33];
}

describe('pages', () => {
  it('of few rows and of 100 have the same rows, and so have pages of changing size', async () => {
    const random = seededRandom(5);
    for (const list of lists) {
      const whole = await walk(index.api, list, 100);
      for (const limit of limitsFor(whole.length))
        expect(await walk(index.api, list, limit), `${list.target} by ${limit}`).toEqual(whole);
      const mixed: Json[] = [];
      for (let cursor: string | undefined; ; ) {
        const { rows, next } = await page(index.api, list, random.between(1, 40), cursor);
        mixed.push(...rows);
        if (next === null) break;
        cursor = next;
      }
      expect(mixed, list.target).toEqual(whole);
    }
  }, 120_000);

  it('have 50 rows unless a limit is asked for', async () => {
    for (const { target, name } of lists) {
      const answer = await index.api.get<Json>(target);
      const { rows } = await page(index.api, { target, name }, 50);
      expect(answer[name]).toEqual(rows);
    }
  });

  it('lose and double nothing while blocks arrive', async () => {
    const before = new Map<List, Json[]>();
    for (const list of lists) before.set(list, await walk(index.api, list, 100));
    // a page of each, then more blocks, then the next page of each
    const walks = new Map<List, { rows: Json[]; next: string | null }>();
    for (const list of lists) {
      const { rows, next } = await page(index.api, list, 3);
      walks.set(list, { rows: [...rows], next });
    }
    for (let round = 0; round < 3; round++) {
      await index.goOn(4);
      for (const [list, walked] of walks) {
        if (walked.next === null) continue;
        const { rows, next } = await page(index.api, list, 3 + round, walked.next);
        walked.rows.push(...rows);
        walked.next = next;
      }
    }
    for (const [list, walked] of walks) {
      while (walked.next !== null) {
        const { rows, next } = await page(index.api, list, 50, walked.next);
        walked.rows.push(...rows);
        walked.next = next;
      }
      const keys = (rows: readonly Json[]): string[] => rows.map(keyOf);
      expect(new Set(keys(walked.rows)).size, list.target).toBe(walked.rows.length);
      // a list by ids takes new ones in where they belong
      const expected = keys(before.get(list) ?? []);
      const isOld = new Set(expected);
      expect(
        keys(walked.rows).filter((key) => isOld.has(key)),
        list.target,
      ).toEqual(expected);
      if (list.target !== '/v1/assets') expect(keys(walked.rows), list.target).toEqual(expected);
      if (list.name === 'holders') expect(walked.rows, list.target).toEqual(before.get(list));
    }
  }, 120_000);
});

/** What a row is about. */
function keyOf(row: Json): string {
  return row.holder ?? row.id ?? `${row.height}/${row.tx_index}/${row.event_index}`;
}
