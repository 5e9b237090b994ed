import { beforeAll, describe, expect, it } from 'vitest';
import { DRIFT } from '../../src/core/tables.ts';
import { settlementDerivation } from '../../src/modules/settlement/derivation.ts';
import { findSettlements } from '../../src/modules/settlement/settlements-read.ts';
import { SETTLEMENT_FLOORS, SETTLEMENT_LISTS, SETTLEMENTS } from '../../src/modules/settlement/tables.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { chainEvents } from './support/chain-events.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, tell, tellAtEnd } from './support/hand-written.ts';
import { readingAt } from './support/reading.ts';

const LEGS = [
  { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', right: { asset_id: 'aa', kind_id: 1, units: '5' } },
  { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'uusd', amount: '7' } },
];

const proposed = (id: string, proposer = 'ann', counterparty = 'bob') =>
  tell('settlement.v1.EventProposed', {
    id,
    proposer,
    counterparty,
    legs: LEGS,
    expiry: '9999-12-31T23:59:59.5Z',
    memo_hash: '',
  });
const ended = (id: string) => ({ id, proposer: 'ann', counterparty: 'bob', asset_ids: ['aa'] });
const settled = (id: string) => tell('settlement.v1.EventSettled', ended(id));
const expired = (id: string) => tellAtEnd('settlement.v1.EventExpired', ended(id));
const cancelled = (id: string, actor: string, reason: string) =>
  tell('settlement.v1.EventCancelled', { ...ended(id), actor, reason });

const HASH = (byte: string) => byte.repeat(32);
const END = [
  'id',
  'height',
  'status',
  'cancel_reason',
  'ended_height',
  'ended_time_ns',
  'ended_tx_hash',
  'end_actor',
];

describe('derivation of settlements', () => {
  const derive = (...blocks: Parameters<typeof deriveAll>[0][number][]) =>
    deriveAll(blocks, { derivations: [settlementDerivation] });

  it('keeps what was proposed', () => {
    const rows = derive(blockOf(3, proposed('1')));
    expect(
      columnsOf(rows, SETTLEMENTS, [
        'id',
        'height',
        'proposer',
        'counterparty',
        'legs',
        'expiry',
        'status',
        'memo_hash',
        'created_height',
        'created_time_ns',
        'created_tx_hash',
        'ended_height',
      ]),
    ).toEqual([
      [
        '1',
        '3',
        'ann',
        'bob',
        '[{"direction":"DIRECTION_PROPOSER_TO_COUNTERPARTY","right":{"asset_id":"aa","kind_id":1,"units":"5"}},' +
          '{"direction":"DIRECTION_COUNTERPARTY_TO_PROPOSER","coin":{"denom":"uusd","amount":"7"}}]',
        '9999-12-31T23:59:59.5Z',
        'STATUS_PENDING',
        '',
        '3',
        '3000000000',
        HASH('03'),
        '0',
      ],
    ]);
  });

  it('tells how each ended, and by whom', () => {
    const rows = derive(
      blockOf(1, proposed('1'), proposed('2'), proposed('3'), proposed('4')),
      blockOf(2, settled('1'), cancelled('2', 'ann', '')),
      blockOf(3, cancelled('3', 'ann', 'LIQUIDATION'), expired('4')),
    );
    expect(columnsOf(rows, SETTLEMENTS, END).slice(4)).toEqual([
      ['1', '2', 'STATUS_SETTLED', '', '2', '2000000000', HASH('02'), 'bob'],
      ['2', '2', 'STATUS_CANCELLED', '', '2', '2000000000', HASH('02'), 'ann'],
      ['3', '3', 'STATUS_CANCELLED', 'LIQUIDATION', '3', '3000000000', HASH('03'), ''],
      ['4', '3', 'STATUS_EXPIRED', '', '3', '3000000000', HASH('00'), ''],
    ]);
    expect(rows.get(DRIFT.name)).toBeUndefined();
  });

  it('has one version of what begins and ends in one block, in every list in turn', () => {
    const rows = derive(blockOf(1, proposed('1'), settled('1')));
    expect(columnsOf(rows, SETTLEMENTS, ['status', 'created_height', 'ended_height'])).toEqual([
      ['STATUS_SETTLED', '1', '1'],
    ]);
    expect(columnsOf(rows, SETTLEMENT_LISTS, ['party', 'status', 'id', 'height', 'gone'])).toEqual(
      [
        ['STATUS_PENDING', '1', '1', '0'],
        ['STATUS_PENDING', '1', '1', '1'],
        ['STATUS_SETTLED', '1', '1', '0'],
      ].flatMap((row) => ['*', 'ann', 'bob'].map((party) => [party, ...row])),
    );
    expect(rows.get(SETTLEMENT_FLOORS.name)).toBeUndefined();
  });

  it('knows the oldest that is pending, of all and of each party', () => {
    const none = String(2n ** 64n - 1n);
    const rows = derive(
      blockOf(1, proposed('1'), proposed('2', 'ann', 'eve')),
      blockOf(2, proposed('3')),
      blockOf(3, settled('1')),
      blockOf(4, settled('2')),
      blockOf(5, settled('3')),
      // ids that do not grow are no chain's, and still are not lost
      blockOf(6, proposed('9')),
      blockOf(7, proposed('8')),
      blockOf(8, settled('8')),
    );
    const of = (wanted: string) =>
      columnsOf(rows, SETTLEMENT_FLOORS, ['party', 'height', 'oldest_pending'])
        .filter(([party]) => party === wanted)
        .map(([, height, floor]) => `${height}: ${floor}`);
    expect(of('*')).toEqual(['1: 1', '3: 2', '4: 3', `5: ${none}`, '6: 9', '7: 8', '8: 9']);
    expect(of('ann')).toEqual(['1: 1', '3: 2', '4: 3', `5: ${none}`, '6: 9', '7: 8', '8: 9']);
    expect(of('bob')).toEqual(['1: 1', '3: 3', `5: ${none}`, '6: 9', '7: 8', '8: 9']);
    expect(of('eve')).toEqual(['1: 2', `4: ${none}`]);
  });

  it('holds ends of what is unknown, or has ended, for drift', () => {
    const rows = derive(
      blockOf(1, proposed('1'), settled('2')),
      blockOf(2, cancelled('1', 'ann', '')),
      blockOf(3, settled('1'), expired('1'), cancelled('1', 'bob', ''), proposed('1')),
    );
    expect(columnsOf(rows, DRIFT, ['height', 'tx_index', 'event_index', 'field', 'derived', 'told'])).toEqual(
      [
        ['1', '0', '1', 'record', '', ''],
        ['3', '0', '0', 'status', 'STATUS_CANCELLED', 'STATUS_PENDING'],
        ['3', '-1', '1', 'status', 'STATUS_CANCELLED', 'STATUS_PENDING'],
        ['3', '0', '2', 'status', 'STATUS_CANCELLED', 'STATUS_PENDING'],
        ['3', '0', '3', 'status', 'STATUS_CANCELLED', ''],
      ],
    );
    expect(columnsOf(rows, SETTLEMENTS, ['height', 'status', 'end_actor'])).toEqual([
      ['1', 'STATUS_PENDING', ''],
      ['2', 'STATUS_CANCELLED', 'ann'],
    ]);
  });
});

interface SettlementJson {
  readonly id: number;
  readonly proposer: string;
  readonly counterparty: string;
  readonly legs: readonly object[];
  readonly expiry: string;
  readonly status: string;
  readonly memo_hash: string;
  readonly cancel_reason: string;
  readonly created_height: number;
  readonly created_tx_hash: string;
  readonly created_at: string;
  readonly updated_height: number;
  readonly timeline?: readonly object[];
}

interface SettlementPage {
  readonly settlements: readonly SettlementJson[];
  readonly next_cursor: string | null;
}

/** A settlement of the chain's own state. */
interface Known {
  readonly id: string;
  readonly proposer: string;
  readonly counterparty: string;
  readonly status: string;
  readonly memo_hash: string;
  readonly [field: string]: unknown;
}

const STATUSES = ['STATUS_PENDING', 'STATUS_SETTLED', 'STATUS_CANCELLED', 'STATUS_EXPIRED'];
const ENDS = new Map([
  ['settlement.v1.EventProposed', 'proposed'],
  ['settlement.v1.EventSettled', 'settled'],
  ['settlement.v1.EventCancelled', 'cancelled'],
  ['settlement.v1.EventExpired', 'expired'],
]);

describe('settlements', () => {
  let index: IndexedDevnet;
  /** The chain's height when these tests began. */
  let head: number;
  beforeAll(async () => {
    index = await referenceWorld();
    await index.goOn(0, hasPending);
    head = index.height;
  }, 120_000);

  const knownAt = async (height: number): Promise<readonly Known[]> =>
    (await index.query('settlement', 'Export', {}, height)).settlements as unknown as Known[];

  const hasPending = async (): Promise<boolean> =>
    (await knownAt(index.height)).some(({ status }) => status === 'STATUS_PENDING');

  const walk = async (filter: string, limit: number): Promise<SettlementJson[]> => {
    const found: SettlementJson[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: SettlementPage = await index.api.get(`/v1/settlements?limit=${limit}${filter}${more}`);
      expect(page.settlements.length).toBeLessThanOrEqual(limit);
      found.push(...page.settlements);
      cursor = page.next_cursor;
    }
    return found;
  };

  /** As answers have it, from the chain's state and events alone. */
  const expectedJson = ({ id, memo_hash, ...rest }: Known, events: ReturnType<typeof chainEvents>) => {
    const own = events.filter(({ fields }) => fields.id === id);
    const created = own[0];
    return {
      ...rest,
      id: Number(id),
      memo_hash: Buffer.from(memo_hash, 'base64').toString('hex'),
      created_height: created?.height,
      created_tx_hash: created?.txHash,
      created_at: created?.blockTime,
      updated_height: own.at(-1)?.height,
    };
  };

  it('are those of the chain, with what happened to them', async () => {
    const known = await knownAt(head);
    for (const status of STATUSES) expect(known.filter((each) => each.status === status)).not.toEqual([]);
    const events = chainEvents(index, 'settlement');
    expect(events.some(({ fields }) => fields.reason === 'LIQUIDATION')).toBe(true);
    for (const each of known) {
      const { settlement } = await index.api.get<{ settlement: SettlementJson }>(
        `/v1/settlements/${each.id}`,
      );
      const timeline = events
        .filter(({ fields }) => fields.id === each.id)
        .map(({ type, height, blockTime, txHash, fields }) => {
          const event = ENDS.get(type);
          const actors = { proposed: each.proposer, settled: each.counterparty, cancelled: fields.actor };
          const actor = actors[event as keyof typeof actors];
          return { event, height, block_time: blockTime, tx_hash: txHash, actor: actor || null };
        });
      expect(settlement).toEqual({ ...expectedJson(each, events), timeline });
    }
  });

  it('are listed by every filter, newest first', async () => {
    const known = (await knownAt(head)).toReversed();
    const events = chainEvents(index, 'settlement');
    const parties = [...new Set(known.flatMap(({ proposer, counterparty }) => [proposer, counterparty]))];
    for (const party of [undefined, ...parties]) {
      for (const status of [undefined, ...STATUSES]) {
        const expected = known.filter(
          (each) =>
            (party === undefined || each.proposer === party || each.counterparty === party) &&
            (status === undefined || each.status === status),
        );
        const filter = `${party === undefined ? '' : `&party=${party}`}${status === undefined ? '' : `&status=${status}`}`;
        const found = await walk(filter, party === undefined ? 20 : 100);
        expect(found, filter).toEqual(expected.map((each) => expectedJson(each, events)));
        if (status === undefined || party !== undefined) continue;
        const short = status.replace('STATUS_', '').toLowerCase();
        expect(await walk(`&status=${short}`, 100)).toEqual(found);
      }
    }
  });

  it('are as they were at an earlier height', async () => {
    for (const height of [1, 37, 90]) {
      const reading = await readingAt(index, head);
      const known = (await knownAt(height)).toReversed();
      for (const status of [undefined, ...STATUSES]) {
        const found = await findSettlements(reading, { status, height });
        expect(found.map(({ id, status: told }) => `${id} ${told}`)).toEqual(
          known
            .filter((each) => status === undefined || each.status === status)
            .map(({ id, status: told }) => `${id} ${told}`),
        );
      }
    }
  });

  it('are found by their number, behind the block', async () => {
    const { candidates } = await index.api.get<{ candidates: { type: string; id: string }[] }>(
      '/v1/lookup/3',
    );
    expect(candidates.map(({ type, id }) => `${type} ${id}`)).toEqual([
      'block 3',
      'settlement 3',
      'encumbrance 3',
    ]);
    const beyond = await index.api.get<{ candidates: object[] }>(`/v1/lookup/${2n ** 64n + 3n}`);
    expect(beyond.candidates).toEqual([]);
  });

  it('refuse what does not parse, and what is not there', async () => {
    const { expectError } = index.api;
    const account = (await knownAt(head))[0]?.proposer ?? '';
    for (const id of ['x', '-1', '1.0', String(2n ** 63n)]) await expectError(`/v1/settlements/${id}`, 400);
    for (const id of ['0', '999999', String(2n ** 63n - 1n)]) await expectError(`/v1/settlements/${id}`, 404);
    for (const query of [
      'status=STATUS_pending',
      'status=PENDING',
      'status=STATUS_UNSPECIFIED',
      'status=',
      'party=',
      `party=${account.slice(0, -1)}`,
      'party=0x1111111111111111111111111111111111111111',
      'limit=0',
      'limit=101',
      'cursor=x',
    ]) {
      await expectError(`/v1/settlements?${query}`, 400);
    }
    const { next_cursor } = await index.api.get<SettlementPage>('/v1/settlements?limit=2&status=settled');
    const cursor = next_cursor ?? '';
    await expectError(`/v1/settlements?limit=2&cursor=${cursor}`, 400);
    await expectError(`/v1/settlements?limit=2&status=pending&cursor=${cursor}`, 400);
    await expectError(`/v1/settlements?limit=2&status=settled&party=${account}&cursor=${cursor}`, 400);
    const { settlements } = await index.api.get<SettlementPage>(
      `/v1/settlements?limit=5&status=STATUS_SETTLED&cursor=${cursor}`,
    );
    expect(settlements).toHaveLength(5);
  });

  it('are walked as of the first page, whatever blocks arrive', async () => {
    const before = (await knownAt(head)).toReversed();
    const [first] = before;
    const filters = ['', '&status=pending', '&status=settled', `&party=${first?.proposer}`];
    const limit = 20;
    const starts = await Promise.all(
      filters.map((filter) => index.api.get<SettlementPage>(`/v1/settlements?limit=${limit}${filter}`)),
    );
    const pending = before.filter(({ status }) => status === 'STATUS_PENDING').map(({ id }) => id);
    let now: readonly Known[] = [];
    await index.goOn(1, async () => {
      now = await knownAt(index.height);
      const isOver = ({ id, status }: Known) => pending.includes(id) && status !== 'STATUS_PENDING';
      return now.length > before.length && now.some(isOver);
    });
    for (const [i, filter] of filters.entries()) {
      const found = [...(starts[i]?.settlements ?? [])];
      for (let cursor = starts[i]?.next_cursor ?? null; cursor !== null; ) {
        const page: SettlementPage = await index.api.get(
          `/v1/settlements?limit=${limit}${filter}&cursor=${cursor}`,
        );
        found.push(...page.settlements);
        cursor = page.next_cursor;
      }
      const status = /status=(\w+)/.exec(filter)?.[1];
      const expected = before.filter(
        (each) =>
          (status === undefined || each.status === `STATUS_${status.toUpperCase()}`) &&
          (!filter.includes('party') || [each.proposer, each.counterparty].includes(first?.proposer ?? '')),
      );
      expect(found.map(({ id, status: told }) => `${id} ${told}`)).toEqual(
        expected.map(({ id, status: told }) => `${id} ${told}`),
      );
    }
    // the writer was started anew in between
    expect((await walk('', 100)).map(({ id, status: told }) => `${id} ${told}`)).toEqual(
      now.toReversed().map(({ id, status: told }) => `${id} ${told}`),
    );
  });
});
