import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createLogger } from 'strata-kit/cli/logging';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApi, type ServedApi } from '../../src/cli/serving.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { type Derivation, on, plainParameters } from '../../src/derive/derivation.ts';
import { createDeriver } from '../../src/derive/deriver.ts';
import { NO_MORE_FACTS } from '../../src/derive/facts.ts';
import { loadModules } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { readCheckpoint } from '../../src/store/checkpoints.ts';
import type { Store } from '../../src/store/store.ts';
import { killCommands, startCommand } from '../support/command.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { indexInto, withFreshStore } from '../support/indexing.ts';
import { printOf } from '../support/store-print.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Modules that lie outside of Strata: the sample of examples/, loaded by its path. */

const SAMPLE = join(import.meta.dirname, '../../examples/modules/settled-per-day/module.js');
const BLOCKS = 120;
const log = createLogger({ format: 'json', level: 'silent', write: () => {} });

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: DevnetNode;
beforeAll(async () => {
  folder = await temporaryFolder();
  node = await startDevnetNode({ blocks: BLOCKS });
});
afterAll(async () => {
  killCommands();
  await node.close();
  await folder.remove();
});

async function rowsOf(store: Store, sql: string): Promise<(readonly [string, number])[]> {
  const rows = new RowReader(await store.query(sql));
  const found: (readonly [string, number])[] = [];
  while (!rows.done) found.push([rows.string(), rows.u64()]);
  return found;
}

async function getJson(served: ServedApi, target: string): Promise<{ status: number; json: unknown }> {
  const answer = await served.api.handle('GET', target);
  return { status: answer.status, json: JSON.parse(Buffer.from(answer.body).toString('utf8')) };
}

describe('the sample', () => {
  it('is written in types that hold', () => {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const examples = join(import.meta.dirname, '../../examples');
    const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', examples], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });

  it('derives, is restored, and answers, in a run of its own', async () => {
    const modules = await loadModules([SAMPLE]);
    const [whole, inParts] = [[BLOCKS], [45, 46, BLOCKS]];
    const prints: (string | undefined)[] = [];
    for (const ends of [whole, inParts]) {
      await withFreshStore(async (stores) => {
        for (const toHeight of ends) {
          await indexInto(stores, { source: node.source, toHeight, modulePaths: [SAMPLE], commitBlocks: 30 });
        }
        prints.push((await printOf(stores)).tables.settled_per_day);
        const store = await stores.open('test');
        // the facts themselves, counted by the engine
        const told = await rowsOf(
          store,
          `SELECT concat(asset, ' ', toString(toDate(fromUnixTimestamp64Nano(b.time_ns, 'UTC')))) AS k, count()
FROM (SELECT height, arrayJoin(arrayDistinct(JSONExtract(decoded, 'asset_ids', 'Array(String)'))) AS asset
  FROM typed_events WHERE type = 'aeva.settlement.v1.EventSettled' AND code = 0) AS e
INNER JOIN blocks AS b ON b.height = e.height GROUP BY k ORDER BY k`,
        );
        expect(told.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThan(2);
        const now = "SELECT concat(asset_id, ' ', day) AS k, settled FROM settled_per_day_now ORDER BY k";
        expect(await rowsOf(store, now)).toEqual(told);
        const checkpoint = await readCheckpoint(store);
        expect(checkpoint?.generations.get('settled_per_day')).toBe(1);
        expect(checkpoint?.rows.get('settled_per_day')).toBeGreaterThanOrEqual(told.length);

        const served = await openApi(stores, log, { modules });
        const [asset = '', day = ''] = told[0]?.[0].split(' ') ?? [];
        expect(await getJson(served, `/v1/assets/${asset}/settled-per-day`)).toEqual({
          status: 200,
          json: {
            asset_id: asset,
            days: told
              .filter(([key]) => key.startsWith(asset))
              .map(([key, settled]) => ({ day: key.slice(65), settled }))
              .reverse(),
          },
        });
        expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
        expect(await getJson(served, `/v1/assets/${'0'.repeat(64)}/settled-per-day`)).toMatchObject({
          status: 200,
          json: { days: [] },
        });
        expect(await getJson(served, '/v1/assets/xyz/settled-per-day')).toMatchObject({
          status: 400,
          json: { code: 'bad_request' },
        });
        expect(await getJson(served, '/v1/status')).toMatchObject({ status: 200 });
        await served.close();
      });
    }
    expect(prints[1]).toEqual(prints[0]);
  }, 120_000);

  it('joins a store later, and is derived from what that holds', async () => {
    const found: (readonly (readonly [string, number])[])[] = [];
    for (const first of [undefined, 70]) {
      await withFreshStore(async (stores) => {
        if (first !== undefined) await indexInto(stores, { source: node.source, toHeight: first });
        await indexInto(stores, { source: node.source, toHeight: BLOCKS, modulePaths: [SAMPLE] });
        const store = await stores.open('test');
        const versions =
          "SELECT concat(asset_id, ' ', day, ' ', toString(height)) AS k, settled FROM settled_per_day_history ORDER BY k";
        found.push(await rowsOf(store, versions));
        // feeds list the events of every module, and are made anew when one joins
        const { generations } = (await readCheckpoint(store)) ?? {};
        expect(generations?.get('activity')).toBe(first === undefined ? 1 : 2);
        expect(generations?.get('rights')).toBe(1);
      });
    }
    expect(found[0]?.some(([key]) => Number(key.split(' ')[2]) <= 70)).toBe(true);
    expect(found[1]).toEqual(found[0]);
  }, 120_000);

  it('is not served from a store that has nothing of it', async () => {
    await withFreshStore(async (stores) => {
      await indexInto(stores, { source: node.source, toHeight: 5 });
      const modules = await loadModules([SAMPLE]);
      await expect(openApi(stores, log, { modules })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringContaining('no table settled_per_day'),
      });
    });
  });

  it('finds its table taken by another one', async () => {
    await withFreshStore(async (stores) => {
      await indexInto(stores, { source: node.source, toHeight: 5 });
      const store = await stores.open('test');
      await store.command(
        'CREATE TABLE settled_per_day (generation UInt32, asset_id String, height UInt64) ENGINE = MergeTree ORDER BY height',
      );
      await store.close();
      const again = indexInto(stores, { source: node.source, toHeight: 9, modulePaths: [SAMPLE] });
      await expect(again).rejects.toMatchObject({ code: 'config_invalid' });
    });
  });

  it('joins strata start by --modules', async () => {
    const command = startCommand(
      ...['start', '--rpc', node.url, '--data', join(folder.path, 'data'), '--listen', '127.0.0.1:0'],
      ...['--to', '60', '--modules', SAMPLE],
    );
    const [, url = ''] = await command.printed(/serving (http:\S+)/);
    const ask = async () => (await fetch(`${url}/v1/assets/${'0'.repeat(64)}/settled-per-day`)).status;
    await expect.poll(ask).toBe(200);
    await command.stopWell('SIGTERM');
  });
});

describe('--modules refuses', () => {
  const table = {
    name: 'mine',
    module: 'mine',
    key: ['a'],
    columns: [
      ['a', 'String'],
      ['height', 'UInt64'],
    ],
    kinds: {},
    facts: {},
  };
  const withTable = (changes: object) => ({
    name: 'mine',
    routes: [],
    derivation: { module: 'mine', reads: [], tables: [{ ...table, ...changes }] },
  });
  const withRoute = (path: string) =>
    `{ name: 'mine', routes: [{ path: '${path}', query: [], cache: 'head', handle() {} }] }`;
  const opened = (module: object) =>
    `{ ...${JSON.stringify(module)}, derivation: { ...${JSON.stringify((module as { derivation?: object }).derivation)}, open() {} } }`;

  it.each([
    ['export const other = 1', 'exports no `module`'],
    ['throw new Error("at once")', 'at once'],
    ['export const module = {', 'cannot be loaded'],
    ["export const module = { name: 'Mine', routes: [] }", 'name that is not like'],
    ["export const module = { name: 'rights', routes: [] }", 'is named rights'],
    [`export const module = ${withRoute('/v1/blocks')}`, 'two routes for /v1/blocks'],
    [`export const module = ${withRoute('/v1/assets/{id}/graph')}`, 'two routes for'],
    [`export const module = ${withRoute('/v1/assets/{asset}/mine')}`, 'two names for one parameter'],
    [`export const module = ${withRoute('/mine')}`, 'a route that is none'],
    [
      `export const module = ${opened(withTable({ name: 'positions' }))}`,
      'a table positions, which is there',
    ],
    [`export const module = ${opened(withTable({ name: 'blocks' }))}`, 'a table blocks, which is there'],
    [`export const module = ${opened(withTable({ key: ['b'] }))}`, 'whose key is not of its columns'],
    [`export const module = ${opened(withTable({ columns: [['a', 'String']] }))}`, 'without a column height'],
    [
      `export const module = ${opened(withTable({ kinds: undefined }))}`,
      'mine that kit.table() did not make',
    ],
    [`export const module = ${opened(withTable({ facts: { also: [] } }))}`, 'a table mine with also'],
    [`export const module = ${JSON.stringify(withTable({}))}`, 'a derivation without open()'],
    [
      `export const module = ${opened({ ...withTable({}), derivation: { ...withTable({}).derivation, reads: ['nobody'] } })}`,
      'reads nobody',
    ],
  ])('%s', async (text, problem) => {
    const path = join(folder.path, `${Math.random()}.mjs`);
    await writeFile(path, text);
    await expect(loadModules([path])).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(problem),
    });
  });

  it('a file that is not there, and one that is given twice', async () => {
    await expect(loadModules([join(folder.path, 'none.js')])).rejects.toMatchObject({
      code: 'config_invalid',
    });
    await expect(loadModules([SAMPLE, SAMPLE])).rejects.toMatchObject({
      message: expect.stringContaining('is named settled_per_day'),
    });
    expect((await loadModules()).map(({ name }) => name)).toEqual(MODULES.map(({ name }) => name));
  });
});

describe('a type of event behind a dot', () => {
  it('is of no namespace, so that a module may follow any package', () => {
    const seen: string[] = [];
    const spec = {
      type: '.cosmos.group.v1.EventVote',
      read: (fields: { text(name: string): string }) => fields.text('proposal_id'),
      subjects: () => ({ accounts: [], assets: [] }),
    };
    const votes: Derivation = {
      module: 'votes',
      tables: [],
      reads: [],
      open: () => ({
        state: undefined,
        handlers: [on(spec, (proposal) => seen.push(proposal))],
        endBlock: () => {},
        restore: () => Promise.resolve(),
      }),
    };
    const deriver = createDeriver({
      derivations: [votes],
      parameters: plainParameters('aeva', 'aeva', 'uusd'),
      generations: new Map([['votes', 1]]),
    });
    expect([...deriver.filter.eventTypes]).toEqual(['cosmos.group.v1.EventVote']);
    const event = {
      type: 'cosmos.group.v1.EventVote',
      txIndex: 0,
      eventIndex: 0,
      txHash: new Uint8Array(32),
    };
    deriver.derive([
      { height: 1, timeNs: 1n, ...NO_MORE_FACTS, events: [{ ...event, decoded: '{"proposal_id":"7"}' }] },
    ]);
    expect(seen).toEqual(['7']);
  });
});
