import type { Model } from './model.ts';

/** Requests of every module route, by what they find on a devnet, and what is wrong with others. */

export interface ModuleRequests {
  /** Each module path of the contract with a request that finds something. */
  readonly found: ReadonlyMap<string, string>;
  /** Well formed, nothing there: 404. */
  readonly absent: readonly string[];
  /** Well formed, nothing there, and a 200 all the same. */
  readonly empty: readonly string[];
  /** 400. */
  readonly malformed: readonly string[];
}

const NO_ASSET = '0'.repeat(64);
const BAD_ASSETS = ['a', NO_ASSET.slice(1), `${NO_ASSET}0`, 'G'.repeat(64), 'A'.repeat(64), `0x${NO_ASSET}`];
/** Ids are of 63 bits, as the contract types them. */
const BAD_IDS = ['x', '-1', '1.5', '1e3', '0x1', '%20', '1_0', '9223372036854775808', '9'.repeat(40)];
const NO_IDS = ['0', '9223372036854775807'];
const BAD_LIMITS = ['0', '101', '-1', 'x', '1.5', '1e1', '999999999999999999999'];
const BAD_CURSORS = ['x', 'AAAA', '%00', '!!!!', 'a'.repeat(2_000)];

export function moduleRequests(model: Model, account: string, other: string): ModuleRequests {
  const asset = model.waterfalls.find(({ pools }) => pools.length > 0)?.asset_id ?? '';
  const [route] = model.routes;
  const badAddresses = badForms(account);
  const byAsset = (rest: string) => (id: string) => `/v1/assets/${id}${rest}`;
  const assetPaths = [
    ['/v1/assets/{id}', byAsset('')],
    ['/v1/assets/{id}/graph', byAsset('/graph')],
    ['/v1/assets/{id}/kinds/{kind}/holders', byAsset('/kinds/0/holders')],
    ['/v1/assets/{id}/distributions', byAsset('/distributions')],
    ['/v1/assets/{id}/liquidation', byAsset('/liquidation')],
    ['/v1/assets/{id}/events', byAsset('/events')],
  ] as const;
  const records = ['settlements', 'encumbrances', 'delegations'];
  const accountPaths = ['', '/attestations', '/events'];
  const found = new Map<string, string>([
    ['/v1/assets', '/v1/assets'],
    ...assetPaths.map(([path, of]) => [path, of(asset)] as const),
    ['/v1/accounts/{addr}', `/v1/accounts/${account}`],
    ['/v1/accounts/{addr}/attestations', `/v1/accounts/${account}/attestations`],
    ['/v1/accounts/{addr}/events', `/v1/accounts/${account}/events`],
    ['/v1/attesters/{addr}', `/v1/attesters/${account}`],
    ['/v1/settlements', `/v1/settlements?party=${account}`],
    ...records.map((name) => [`/v1/${name}/{id}`, `/v1/${name}/1`] as const),
    ['/v1/bridge/routes', '/v1/bridge/routes'],
    ['/v1/bridge/routes/{id}', `/v1/bridge/routes/${route?.route_id}`],
    ['/v1/bridge/transfers', `/v1/bridge/transfers?route=${route?.route_id}`],
    ['/v1/invariants', `/v1/invariants?asset=${asset}`],
    ['/v1/quests/leaderboard', '/v1/quests/leaderboard'],
    ['/v1/quests/{addr}', `/v1/quests/${account}`],
  ]);
  const lists = LISTS.map((path) => found.get(path) ?? '');
  return {
    found,
    absent: [
      ...assetPaths.map(([, of]) => of(NO_ASSET)),
      ...[`/v1/assets/${asset}/kinds/128/holders`, `/v1/assets/${asset}/kinds/4294967295/holders`],
      ...records.flatMap((name) => NO_IDS.map((id) => `/v1/${name}/${id}`)),
      ...[
        '/v1/bridge/routes/no-such-route',
        '/v1/bridge/routes/%F0%9F%8C%89',
        "/v1/bridge/routes/'%20OR%201",
      ],
    ],
    empty: [
      ...accountPaths.map((path) => `/v1/accounts/${other}${path}`),
      `/v1/attesters/${other}`,
      `/v1/settlements?party=${other}`,
      `/v1/settlements?party=${other}&status=pending`,
      `/v1/bridge/transfers?account=${other}`,
      `/v1/bridge/transfers?account=0x${'ab'.repeat(32)}`,
      '/v1/bridge/transfers?route=none',
      "/v1/bridge/transfers?route='%20OR%201",
      '/v1/bridge/transfers?message_id=none',
      `/v1/invariants?asset=${NO_ASSET}`,
    ],
    malformed: [
      ...assetPaths.flatMap(([, of]) => BAD_ASSETS.map(of)),
      ...['x', '-1', '1.5', '0x0', '%20'].map((kind) => `/v1/assets/${asset}/kinds/${kind}/holders`),
      ...records.flatMap((name) => BAD_IDS.map((id) => `/v1/${name}/${id}`)),
      ...badAddresses.flatMap((bad) => accountPaths.map((path) => `/v1/accounts/${bad}${path}`)),
      ...badAddresses.map((bad) => `/v1/attesters/${bad}`),
      ...badAddresses.map((bad) => `/v1/quests/${bad}`),
      ...BAD_LIMITS.map((limit) => `/v1/quests/leaderboard?limit=${limit}`),
      ...badAddresses.map((bad) => `/v1/settlements?party=${bad}`),
      ...['x', 'STATUS_UNSPECIFIED', 'PENDING', 'Pending', 'status_pending'].map(
        (status) => `/v1/settlements?status=${status}`,
      ),
      ...['x', 'OUT', 'pending'].map((status) => `/v1/bridge/transfers?status=${status}`),
      ...['x', `${account}x`, `0x${'ab'.repeat(31)}`, `0x${'zz'.repeat(32)}`].map(
        (bad) => `/v1/bridge/transfers?account=${bad}`,
      ),
      ...BAD_ASSETS.map((bad) => `/v1/invariants?asset=${bad}`),
      ...lists.flatMap((list) => BAD_LIMITS.map((limit) => `${mark(list)}limit=${limit}`)),
      ...lists.flatMap((list) => BAD_CURSORS.map((cursor) => `${mark(list)}cursor=${cursor}`)),
    ],
  };
}

/** Paths that answer page by page. */
export const LISTS: readonly string[] = [
  '/v1/assets',
  '/v1/assets/{id}/kinds/{kind}/holders',
  '/v1/assets/{id}/distributions',
  '/v1/assets/{id}/events',
  '/v1/accounts/{addr}/events',
  '/v1/settlements',
  '/v1/bridge/transfers',
];

export function mark(target: string): string {
  return `${target}${target.includes('?') ? '&' : '?'}`;
}

/** No address: another prefix, a wrong checksum, a wrong length, a wrong EIP-55 form. */
function badForms(account: string): readonly string[] {
  const last = account.endsWith('q') ? 'p' : 'q';
  return [
    'x',
    account.slice(0, -1) + last,
    account.slice(0, -1),
    'cosmos1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqnrql8a',
    `0x${'ab'.repeat(19)}`,
    `0x${'ab'.repeat(32)}`,
    '0xFB6916095ca1df60bB79Ce92cE3Ea74c37c5d35A',
  ];
}
