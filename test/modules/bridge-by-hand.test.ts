import { describe, expect, it } from 'vitest';
import { attemptOf } from '../../src/modules/bridge/rejections.ts';
import { usedAt, windowAt } from '../../src/modules/bridge/windows.ts';
import { columnsOf, driftOf, factsByHand, type HandBlock, type HandEvent } from './support/by-hand.ts';
import { deriveAfter, deriveAll } from './support/derive.ts';
import { versionsIn } from './support/versions.ts';

/** Rule 8 of modules.md with figures reckoned by hand. */

const ASSET = 'ab'.repeat(32);
const REMOTE = `0x${'cd'.repeat(32)}`;
const ROUTE = {
  route_id: 'route-1',
  remote_domain: 8453,
  remote_contract: `0x${'ab'.repeat(32)}`,
  direction: 'DIRECTION_NATIVE_OUT',
  local_denom: 'uusd',
  status: 'ROUTE_STATUS_ACTIVE',
  window_seconds: '3600',
  outbound_limit: '100',
  inbound_limit: '50',
  warp_token_id: 'warp-1',
  display: 'USD',
  exponent: 6,
  asset_id: '',
  kind_id: null,
  bundle: false,
  escrow_address: 'aeva1escrow',
};

const created = (change: object = {}): HandEvent => ['bridge.EventRouteCreated', { ...ROUTE, ...change }];
const TRANSFER = { route_id: 'route-1', message_id: '0x01', asset_id: '', kind_id: null, bundle: false };
const out = (amount: number, after: number, used: number, change: object = {}): HandEvent => [
  'bridge.EventTransferOut',
  {
    ...TRANSFER,
    sender: 'aeva1ada',
    recipient: REMOTE,
    amount: String(amount),
    outbound_after: String(after),
    outbound_used_after: String(used),
    ...change,
  },
];
const back = (amount: number, after: number, used: number, change: object = {}): HandEvent => [
  'bridge.EventTransferIn',
  {
    ...TRANSFER,
    sender: REMOTE,
    recipient: 'aeva1ben',
    amount: String(amount),
    inbound_after: String(after),
    inbound_used_after: String(used),
    ...change,
  },
];
const updated = (change: object = {}): HandEvent => [
  'bridge.EventRouteUpdated',
  {
    route_id: 'route-1',
    asset_id: '',
    status: 'ROUTE_STATUS_ACTIVE',
    outbound_limit: '100',
    inbound_limit: '50',
    window_seconds: '3600',
    ...change,
  },
];

const derive = (...blocks: readonly HandBlock[]) => deriveAll(factsByHand(...blocks));
const FLOWS = ['height', 'outbound', 'inbound', 'outbound_used', 'inbound_used', 'transfers'];

describe('hex of the other chain', () => {
  it('is told in lower case, however its event writes it', () => {
    const shouted = (byte: string): string => `0x${byte.repeat(32)}`;
    const rows = derive({
      height: 1,
      time: '2026-01-01T00:00:00Z',
      events: [
        created({ remote_contract: shouted('AB') }),
        out(1, 1, 1, { recipient: shouted('CD'), message_id: shouted('EF') }),
      ],
    });
    const texts = (table: string, ...columns: readonly string[]): string[][] =>
      columnsOf(rows, table, ...columns).map((row) => row.map(String));
    expect(texts('bridge_routes', 'remote_contract')).toEqual([[shouted('ab')]]);
    expect(texts('bridge_transfers', 'recipient', 'message_id')).toEqual([[shouted('cd'), shouted('ef')]]);
    expect(texts('bridge_transfers_by_account', 'message_id')).toEqual([[shouted('ef')], [shouted('ef')]]);
  });
});

describe('windows', () => {
  // 2026-01-01T00:00:00Z is 1767225600 = 490896 · 3600 = 160656872 · 11 + 8
  it('begin at k · window_seconds of unix time, to the nanosecond', () => {
    const midnight = 1_767_225_600_000_000_000n;
    expect(
      [-1n, 0n, 3_600_000_000_000n - 1n, 3_600_000_000_000n].map((ns) => windowAt(3600n, midnight + ns)),
    ).toEqual([490_895n, 490_896n, 490_896n, 490_897n]);
    expect([2_999_999_999n, 3_000_000_000n].map((ns) => windowAt(11n, midnight + ns))).toEqual([
      160_656_872n,
      160_656_873n,
    ]);
    expect(windowAt(0n, midnight)).toBe(0n);
    expect(usedAt({ used: 60n, window: 490_896n }, 3600n, midnight + 3_599_999_999_999n)).toBe(60n);
    expect(usedAt({ used: 60n, window: 490_896n }, 3600n, midnight + 3_600_000_000_000n)).toBe(0n);
  });

  it('count what passed, and begin anew at their edge, each way by itself', () => {
    const edge = 1_767_225_600_000_000_000n + 3_600_000_000_000n;
    const rows = derive(
      { height: 1, time: '2026-01-01T00:00:00Z', events: [created(), out(60, 60, 60)] },
      { height: 2, time: edge - 1n, events: [out(40, 100, 100), back(30, 30, 30)] },
      { height: 3, time: edge, events: [out(7, 107, 7)] },
      { height: 4, time: edge + 1n, events: [back(5, 35, 5)] },
    );
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, 'bridge_routes', ...FLOWS)).toEqual([
      [1, 60, 0, 60, 0, 1],
      [2, 100, 30, 100, 30, 3],
      // what came in stands in its own window: answers see by its number that it is over
      [3, 107, 30, 7, 30, 4],
      [4, 107, 35, 7, 5, 5],
    ]);
    expect(
      columnsOf(rows, 'bridge_routes', 'outbound_window', 'inbound_window', 'created_height').at(2),
    ).toEqual([490_897, 490_896, 1]);
  });

  it('of no seconds are no cap, and nothing counts as used', () => {
    const rows = derive(
      {
        height: 1,
        time: '2026-01-01T00:00:00Z',
        events: [created({ window_seconds: '0' }), out(1000, 1000, 0)],
      },
      { height: 2, time: '2026-01-01T00:00:01Z', events: [back(1, 1, 0)] },
    );
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, 'bridge_routes', ...FLOWS)).toEqual([
      [1, 1000, 0, 0, 0, 1],
      [2, 1000, 1, 0, 0, 2],
    ]);
  });

  it('restart both ways when their length changes, and not when a limit or the status does', () => {
    const rows = derive(
      { height: 1, time: '2026-01-01T00:00:00Z', events: [created(), out(60, 60, 60), back(20, 20, 20)] },
      {
        height: 2,
        time: '2026-01-01T00:10:00Z',
        events: [
          updated({ status: 'ROUTE_STATUS_PAUSED' }),
          updated({ outbound_limit: '70' }),
          out(1, 61, 61),
        ],
      },
      { height: 3, time: '2026-01-01T00:20:00Z', events: [updated({ window_seconds: '7200' })] },
      { height: 4, time: '2026-01-01T01:59:59Z', events: [out(70, 131, 70), back(1, 21, 1)] },
      { height: 5, time: '2026-01-01T01:59:59Z', events: [updated({ window_seconds: '0' }), out(2, 133, 0)] },
    );
    expect(driftOf(rows)).toEqual([]);
    expect(columnsOf(rows, 'bridge_routes', ...FLOWS, 'outbound_limit', 'status')).toEqual([
      [1, 60, 20, 60, 20, 2, 100, 'ROUTE_STATUS_ACTIVE'],
      [2, 61, 20, 61, 20, 3, 70, 'ROUTE_STATUS_ACTIVE'],
      [3, 61, 20, 0, 0, 3, 100, 'ROUTE_STATUS_ACTIVE'],
      [4, 131, 21, 70, 1, 5, 100, 'ROUTE_STATUS_ACTIVE'],
      [5, 133, 21, 0, 0, 6, 100, 'ROUTE_STATUS_ACTIVE'],
    ]);
  });
});

describe('what events tell', () => {
  it('is held against what is derived, which stands', () => {
    const rows = derive(
      { height: 1, time: '2026-01-01T00:00:00Z', events: [created(), out(60, 61, 60)] },
      { height: 2, time: '2026-01-01T00:00:01Z', events: [out(5, 65, 66), back(5, 6, 7)] },
    );
    expect(driftOf(rows)).toEqual([
      [1, 1, 'outbound_after', '60', '61'],
      [2, 0, 'outbound_used_after', '65', '66'],
      [2, 1, 'inbound_after', '5', '6'],
      [2, 1, 'inbound_used_after', '5', '7'],
    ]);
    expect(columnsOf(rows, 'bridge_routes', ...FLOWS)).toEqual([
      [1, 60, 0, 60, 0, 1],
      [2, 65, 5, 65, 5, 3],
    ]);
  });

  it('of a route that nobody made is one drift row, and nothing else', () => {
    const swept = {
      escrow_address: 'aeva1e',
      recipient: 'aeva1i',
      asset_id: ASSET,
      kind_id: 0,
      denom: 'uusd',
    };
    const rows = derive({
      height: 1,
      time: '2026-01-01T00:00:00Z',
      events: [
        out(1, 1, 1),
        back(1, 1, 1),
        updated(),
        ['bridge.EventEscrowIncomeSwept', { ...swept, route_id: 'route-1', amount: '3' }],
      ],
    });
    expect(driftOf(rows)).toEqual([0, 1, 2, 3].map((txIndex) => [1, txIndex, 'record', '', '']));
    for (const table of ['bridge_routes', 'bridge_transfers', 'bridge_income', 'accruals'])
      expect(rows.get(table) ?? [], table).toEqual([]);
  });

  it('of a second route under an id leaves the first', () => {
    const rows = derive(
      { height: 1, time: '2026-01-01T00:00:00Z', events: [created(), out(60, 60, 60)] },
      { height: 2, time: '2026-01-01T00:00:01Z', events: [created({ outbound_limit: '7' }), out(1, 61, 61)] },
    );
    expect(driftOf(rows)).toEqual([[2, 0, 'record', '', '']]);
    expect(columnsOf(rows, 'bridge_routes', ...FLOWS).at(-1)).toEqual([2, 61, 0, 61, 0, 2]);
  });

  it('is derived the same behind a restart', async () => {
    const facts = factsByHand(
      { height: 1, time: '2026-01-01T00:00:00Z', events: [created(), out(60, 60, 60)] },
      { height: 2, time: '2026-01-01T00:00:01Z', events: [out(40, 100, 100)] },
    );
    const after = await deriveAfter(versionsIn(deriveAll(facts.slice(0, 1))), facts.slice(1));
    expect(driftOf(after)).toEqual([]);
    expect(columnsOf(after, 'bridge_routes', ...FLOWS)).toEqual([[2, 100, 0, 100, 0, 2]]);
  });
});

const TYPE = '/aeva.bridge.v1.MsgTransferOut';
const message = (change: object = {}) => ({
  '@type': TYPE,
  sender: 'aeva1ada',
  route_id: 'route-1',
  recipient: REMOTE,
  amount: '41',
  ...change,
});
const log = (index: number | string) => `failed to execute message; message index: ${index}: route is paused`;

describe('attempts that were refused', () => {
  const TRANSFERS = [
    'tx_index',
    'event_index',
    'route_id',
    'amount',
    'reason',
    'asset_id',
    'kind_id',
    'bundle',
  ];

  it('are rows of the message that the log names, with the route as it was then known', () => {
    const right = { direction: 'DIRECTION_RIGHT_OUT', local_denom: '', asset_id: ASSET, kind_id: 2 };
    const rows = derive(
      {
        height: 1,
        time: '2026-01-01T00:00:00Z',
        failed: [{ code: 3, rawLog: log(0), msgs: [message()] }],
      },
      {
        height: 2,
        time: '2026-01-01T00:00:01Z',
        events: [created(right)],
        failed: [{ code: 5, rawLog: log(1), msgs: [message({ amount: '1' }), message({ amount: '2' })] }],
      },
    );
    expect(columnsOf(rows, 'bridge_transfers', ...TRANSFERS)).toEqual([
      [0, -1, 'route-1', 41, 'bridge/3', '', 0, 0],
      [1, -1, 'route-1', 2, 'bridge/5', ASSET, 2, 0],
    ]);
    expect(columnsOf(rows, 'bridge_transfers', 'status', 'direction', 'message_id', 'sender').at(1)).toEqual([
      'rejected',
      'out',
      '',
      'aeva1ada',
    ]);
    expect(columnsOf(rows, 'bridge_routes', 'height', 'transfers')).toEqual([[2, 0]]);
  });

  it('know nothing of a route that a later tx of the block made', () => {
    const [block] = factsByHand({
      height: 1,
      time: '2026-01-01T00:00:00Z',
      events: [created({ asset_id: ASSET, kind_id: 2 })],
      failed: [{ code: 3, rawLog: log(0), msgs: [message()] }],
    });
    if (block === undefined) throw new Error('no block');
    const events = block.events.map((event) => ({ ...event, txIndex: 9 }));
    const rows = deriveAll([{ ...block, events }]);
    expect(columnsOf(rows, 'bridge_transfers', ...TRANSFERS)).toEqual([
      [1, -1, 'route-1', 41, 'bridge/3', '', 0, 0],
    ]);
  });

  it('are none where the log names no message, or one of another kind', () => {
    const other = { '@type': '/aeva.bridge.v1.MsgReceiveIn', route_id: 'route-1' };
    const of = (rawLog: string, ...msgs: unknown[]) =>
      attemptOf({ rawLog, msgs: JSON.stringify(msgs) }, TYPE);
    expect(of(log(0), message())?.amount).toBe(41n);
    expect(of(log(1), other, message())?.amount).toBe(41n);
    expect(of(log(0), other, message())).toBeUndefined();
    expect(of(log(2), message())).toBeUndefined();
    expect(of('out of gas', message())).toBeUndefined();
    expect(of(`see: ${log(0)}`, message())).toBeUndefined();
    expect(of(log('-1'), message())).toBeUndefined();
    expect(attemptOf({ rawLog: log(0), msgs: '[{' }, TYPE)).toBeUndefined();
  });

  it('keep what the sender wrote, but for an amount that is none', () => {
    const of = (change: object) =>
      attemptOf({ rawLog: log(0), msgs: JSON.stringify([message(change)]) }, TYPE);
    const amounts = [
      '0',
      String(2n ** 255n - 1n),
      String(2n ** 255n),
      '-1',
      '01',
      '',
      '1e3',
      '9'.repeat(99),
      7,
      null,
    ];
    expect(amounts.map((amount) => of({ amount })?.amount)).toEqual([
      0n,
      2n ** 255n - 1n,
      ...Array(8).fill(0n),
    ]);
    expect(of({ recipient: `0x${'CD'.repeat(32)}` })?.recipient).toBe(REMOTE);
    expect(of({ recipient: '0xAB', sender: null, route_id: 5 })).toEqual({
      routeId: '',
      sender: '',
      recipient: '0xAB',
      amount: 41n,
    });
  });
});
