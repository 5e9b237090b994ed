import { beforeAll, describe, expect, it } from 'vitest';
import { DRIFT } from '../../src/core/tables.ts';
import { assetDerivation } from '../../src/modules/asset/derivation.ts';
import { activeOf } from '../../src/modules/delegation/delegations-read.ts';
import { delegationDerivation } from '../../src/modules/delegation/derivation.ts';
import { DELEGATIONS, DELEGATIONS_BY_ACCOUNT } from '../../src/modules/delegation/tables.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { type ChainEvent, chainEvents } from './support/chain-events.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, tell, tellAtEnd } from './support/hand-written.ts';
import { ASSET, created as assetCreated } from './support/income.ts';
import { readingAt } from './support/reading.ts';

const delegated = (id: string, delegate = 'bob') =>
  tell('delegation.v1.EventDelegated', {
    id,
    holder: 'ann',
    asset_id: ASSET,
    kind_id: 2,
    units: '12',
    delegate,
    until: '2600-01-01T00:00:00.000000001Z',
    purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'],
    revocable: true,
  });
const ENDED = { asset_id: ASSET, kind_id: 2, holder: 'ann', delegate: 'bob' };
const ended = (id: string, reason: string) => tell('delegation.v1.EventEnded', { id, ...ENDED, reason });
const expired = (id: string) =>
  tellAtEnd('delegation.v1.EventEnded', { id, ...ENDED, reason: 'END_REASON_EXPIRED' });

describe('derivation of delegations', () => {
  const derive = (...blocks: Parameters<typeof deriveAll>[0][number][]) =>
    deriveAll([blockOf(0, assetCreated(3)), ...blocks], {
      derivations: [assetDerivation, delegationDerivation],
      kept: ['delegation'],
    });

  it('keeps what was delegated, and how it ended', () => {
    const rows = derive(
      blockOf(1, delegated('1'), delegated('2'), delegated('3')),
      blockOf(2, ended('1', 'END_REASON_REVOKED')),
      blockOf(3, ended('2', 'END_REASON_RETURNED'), expired('3')),
    );
    const columns = DELEGATIONS.columns.map(([name]) => name);
    const record = (id: string, height: string, reason: string, endedHeight: string) => [
      ...[id, height, 'ann', ASSET, '2', '12', 'bob', '2600-01-01T00:00:00.000000001Z', 'VOTE,INCOME', '1'],
      ...[reason, '1', '01'.repeat(32), endedHeight],
    ];
    expect(columnsOf(rows, DELEGATIONS, columns)).toEqual([
      record('1', '1', '', '0'),
      record('2', '1', '', '0'),
      record('3', '1', '', '0'),
      record('1', '2', 'END_REASON_REVOKED', '2'),
      record('2', '3', 'END_REASON_RETURNED', '3'),
      record('3', '3', 'END_REASON_EXPIRED', '3'),
    ]);
    expect(rows.get(DRIFT.name)).toBeUndefined();
  });

  it('lists it for both accounts until it ends, within one block too', () => {
    const rows = derive(
      blockOf(1, delegated('1')),
      blockOf(2, expired('1'), delegated('2', 'eve'), ended('2', 'END_REASON_REVOKED')),
    );
    expect(columnsOf(rows, DELEGATIONS_BY_ACCOUNT, ['account', 'id', 'height', 'gone'])).toEqual([
      ['ann', '1', '1', '0'],
      ['bob', '1', '1', '0'],
      ['ann', '1', '2', '1'],
      ['bob', '1', '2', '1'],
      ['ann', '2', '2', '0'],
      ['eve', '2', '2', '0'],
      ['ann', '2', '2', '1'],
      ['eve', '2', '2', '1'],
    ]);
  });

  it('holds what cannot be for drift', () => {
    const rows = derive(
      blockOf(1, delegated('1'), delegated('1'), expired('9')),
      blockOf(2, ended('1', 'END_REASON_REVOKED')),
      blockOf(3, ended('1', 'END_REASON_REVOKED'), delegated('1')),
    );
    expect(columnsOf(rows, DRIFT, ['height', 'event_index', 'field', 'derived', 'told'])).toEqual([
      ['1', '1', 'status', 'active', ''],
      ['1', '2', 'record', '', ''],
      ['3', '0', 'status', 'END_REASON_REVOKED', 'active'],
      ['3', '1', 'status', 'END_REASON_REVOKED', ''],
    ]);
    expect(columnsOf(rows, DELEGATIONS, ['height', 'ended'])).toEqual([
      ['1', ''],
      ['2', 'END_REASON_REVOKED'],
    ]);
  });
});

/** A delegation of the chain's own state. */
interface Known {
  readonly id: string;
  readonly holder: string;
  readonly delegate: string;
  readonly purposes: readonly string[];
  readonly ended: string;
  readonly [field: string]: unknown;
}

const ACTIVE = 'END_REASON_UNSPECIFIED';
const REASONS = [ACTIVE, 'END_REASON_EXPIRED', 'END_REASON_REVOKED', 'END_REASON_RETURNED'];

describe('delegations', () => {
  let index: IndexedDevnet;
  /** The chain's height when these tests began. */
  let head: number;
  beforeAll(async () => {
    index = await referenceWorld();
    head = index.height;
  }, 120_000);

  const knownAt = async (height: number): Promise<readonly Known[]> =>
    (await index.query('delegation', 'Export', {}, height)).delegations as unknown as Known[];

  const expectAnswer = async (each: Known, events: readonly ChainEvent[]): Promise<void> => {
    const own = events.filter(({ fields }) => fields.id === each.id);
    const isActive = each.ended === ACTIVE;
    expect(await index.api.get(`/v1/delegations/${each.id}`)).toEqual({
      delegation: {
        ...each,
        id: Number(each.id),
        purposes: each.purposes.map((purpose) => purpose.replace('PURPOSE_', '')),
        ended: isActive ? '' : each.ended,
        created_height: own[0]?.height,
        created_tx_hash: own[0]?.txHash,
        ended_height: isActive ? null : own[1]?.height,
      },
    });
  };

  it('are those of the chain', async () => {
    const known = await knownAt(head);
    for (const reason of REASONS) expect(known.filter((each) => each.ended === reason)).not.toEqual([]);
    const events = chainEvents(index, 'delegation');
    for (const each of known) await expectAnswer(each, events);
  });

  it('are active for holder and delegate, newest first, at any height', async () => {
    for (const height of [1, 30, 77, head]) {
      const reading = await readingAt(index, height);
      const known = (await knownAt(height)).toReversed();
      for (const account of new Set(known.flatMap(({ holder, delegate }) => [holder, delegate]))) {
        const expected = known.filter(
          (each) => each.ended === ACTIVE && (each.holder === account || each.delegate === account),
        );
        const found = await activeOf(reading, account);
        expect(found.map(({ id }) => String(id))).toEqual(expected.map(({ id }) => id));
      }
    }
  });

  it('refuse what does not parse, and what is not there', async () => {
    const { expectError } = index.api;
    for (const id of ['x', '-1', '1e3', String(2n ** 63n)]) await expectError(`/v1/delegations/${id}`, 400);
    for (const id of ['0', '999999', String(2n ** 63n - 1n)]) await expectError(`/v1/delegations/${id}`, 404);
  });

  it('go on behind a restart of the writer', async () => {
    const isNewEnd = ({ height, type }: ChainEvent) => height > head && type.endsWith('Ended');
    await index.goOn(1, () => chainEvents(index, 'delegation').some(isNewEnd));
    const events = chainEvents(index, 'delegation');
    const isNew = new Set(events.filter(({ height }) => height > head).map(({ fields }) => fields.id));
    const known = await knownAt(index.height);
    expect(known.length).toBeGreaterThan(isNew.size);
    for (const each of known.filter(({ id }) => isNew.has(id))) await expectAnswer(each, events);
  });
});
