import type { Api } from '../src/api/api.ts';
import { createCursorCodec } from '../src/api/cursor.ts';
import { pathParam, type Route } from '../src/api/route.ts';
import { RowReader } from '../src/core/rowbinary.ts';
import { MODULE_ROUTES } from '../src/modules/modules.ts';
import { accrualsOf } from '../src/modules/payout/accruals-read.ts';
import { openEmbedded } from '../src/store/embedded.ts';
import type { StoreFactory } from '../src/store/store.ts';
import { benchFolder } from './support/folders.ts';
import { createHolderStore, type HolderStore } from './support/holder-store.ts';
import { type Figure, quantile } from './support/report.ts';
import { type ApiParts, readApiParts } from './support/serve-api.ts';

/**
 * What must not grow with the holders of an asset and their changes: a page of holders, and what other routes take while
 * the income of a million bases is added up. Nothing is cached but what modules keep themselves.
 */

const PATH = '/v1/assets/{id}/kinds/{kind}/holders';
const LIMIT = 100;
/** The part of the asset page that takes long. */
const ACCRUALS: Route = {
  path: '/bench/accruals/{id}',
  query: [],
  cache: 'head',
  handle: async (request, context) => ({
    parts: [JSON.stringify(await accrualsOf(context, pathParam(request, 'id')))],
  }),
};

export async function benchHolders(smoke: boolean): Promise<Figure[]> {
  const stores = await openEmbedded({ folder: benchFolder() });
  try {
    const size = smoke ? { holders: 10_000, changes: 10_000 } : { holders: 1_000_000, changes: 1_000_000 };
    const data = await createHolderStore(stores, size);
    const parts = await readApiParts(stores);
    return [
      ...(await benchSums(parts, data, smoke ? 2 : 5)),
      ...(await benchPages(stores, parts, data, smoke ? 20 : 300)),
    ];
  } finally {
    await stores.close();
  }
}

const openApi = (parts: ApiParts): Promise<Api> =>
  parts.create({ cacheBytes: 1, routes: [...MODULE_ROUTES, ACCRUALS] });

export async function benchPages(
  stores: StoreFactory,
  parts: ApiParts,
  data: HolderStore,
  samples: number,
): Promise<Figure[]> {
  const api = await openApi(parts);
  const assets = [data.small, data.large, data.hot];
  const figures: Figure[] = [];
  const cursors = createCursorCodec(parts.cursorKey);
  const places = await Promise.all(assets.map((id) => somePlaces(stores, id)));
  for (const isFirst of [true, false]) {
    const times: number[][] = assets.map(() => []);
    for (let i = -10; i < samples; i++) {
      for (let turn = 0; turn < assets.length; turn++) {
        const at = (turn + Math.abs(i)) % assets.length;
        const id = assets[at] ?? '';
        const of = places[at] ?? [];
        const [units, holder] = of[Math.abs(i) % of.length] ?? ['0', ''];
        const key = [String(data.head), units, holder];
        const cursor = isFirst ? '' : `&cursor=${cursors.encodeKey([PATH, id, '0'], key)}`;
        const ms = await timed(api, `/v1/assets/${id}/kinds/0/holders?limit=${LIMIT}${cursor}`);
        if (i >= 0) times[at]?.push(ms);
      }
    }
    const [small = [], large = [], hot = []] = times;
    const page = isFirst ? 'first page' : 'page in the midst';
    figures.push(
      { name: `${page} of ${LIMIT} of 1,000 holders, p50`, value: quantile(small, 0.5), unit: 'ms' },
      { name: '  p99', value: quantile(small, 0.99), unit: 'ms' },
      ...ratios(`${page}: 1,000,000 holders, as many changes ÷ 1,000`, large, small),
      ...ratios(`${page}: the top 10 made all changes ÷ 1,000 holders`, hot, small),
    );
  }
  return figures;
}

function ratios(name: string, of: readonly number[], to: readonly number[]): Figure[] {
  const at = (share: number) => quantile(of, share) / quantile(to, share);
  return [
    { name: `${name}, p99`, value: at(0.99), unit: 'ratio', aim: '≤ 2' },
    { name: `${name}, p50`, value: at(0.5), unit: 'ratio' },
  ];
}

async function somePlaces(stores: StoreFactory, id: string): Promise<[units: string, holder: string][]> {
  const store = await stores.open('places');
  const rows = new RowReader(
    await store.query(
      `SELECT toString(-neg), holder FROM holder_order WHERE asset_id = '${id}' AND height <= 100 ` +
        'ORDER BY cityHash64(holder) LIMIT 200',
    ),
  );
  const places: [string, string][] = [];
  while (!rows.done) places.push([rows.string(), rows.string()]);
  await store.close();
  return places;
}

export async function benchSums(parts: ApiParts, data: HolderStore, rounds: number): Promise<Figure[]> {
  const target = `/bench/accruals/${data.large}`;
  const others = [`/v1/assets/${data.small}/kinds/0/holders?limit=20`, '/v1/assets'];
  const [cold, cached, idle, beside]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const api = await openApi(parts);
    for (const other of others) await timed(api, other);
    let isDone = false;
    const sum = answered(api, target).finally(() => {
      isDone = true;
    });
    let asked = 0;
    while (!isDone) beside.push(await timed(api, others[asked++ % others.length] ?? ''));
    cold.push(await sum);
    for (let i = 0; i < asked; i++) idle.push(await timed(api, others[i % others.length] ?? ''));
    for (let i = 0; i < 20; i++) cached.push(await timed(api, target));
  }
  return [
    { name: 'sum_claimable over 1,000,000 bases, cold, p50', value: quantile(cold, 0.5), unit: 'ms' },
    { name: 'the same, kept, p50', value: quantile(cached, 0.5), unit: 'ms' },
    { name: 'other routes, idle, p99', value: quantile(idle, 0.99), unit: 'ms' },
    {
      name: 'other routes meanwhile ÷ idle, p99',
      value: quantile(beside, 0.99) / quantile(idle, 0.99),
      unit: 'ratio',
      aim: '≤ 3',
    },
    {
      name: 'other routes meanwhile ÷ idle, p50',
      value: quantile(beside, 0.5) / quantile(idle, 0.5),
      unit: 'ratio',
    },
  ];
}

/** On a machine under load a sum may take longer than a request has: the next one goes on with it. */
async function answered(api: Api, target: string): Promise<number> {
  const startedMs = performance.now();
  for (let tries = 0; tries < 20; tries++) {
    const { status } = await api.handle('GET', target);
    if (status === 200) return performance.now() - startedMs;
  }
  throw new Error(`no answer of ${target}`);
}

async function timed(api: Api, target: string): Promise<number> {
  const startedMs = performance.now();
  const { status, body } = await api.handle('GET', target);
  if (status !== 200) throw new Error(`status ${status} of ${target}: ${Buffer.from(body).toString()}`);
  return performance.now() - startedMs;
}
