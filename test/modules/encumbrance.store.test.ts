import { beforeAll, describe, expect, it } from 'vitest';
import { DRIFT } from '../../src/core/tables.ts';
import { assetDerivation } from '../../src/modules/asset/derivation.ts';
import { encumbranceDerivation } from '../../src/modules/encumbrance/derivation.ts';
import { encumbrancesByIds } from '../../src/modules/encumbrance/encumbrances-read.ts';
import { ENCUMBRANCE_TIMELINE, ENCUMBRANCES } from '../../src/modules/encumbrance/tables.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { type ChainEvent, chainEvents } from './support/chain-events.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, tell, tellAtEnd } from './support/hand-written.ts';
import { ASSET, created as assetCreated } from './support/income.ts';
import { readingAt } from './support/reading.ts';

const ABOUT = { asset_id: ASSET, kind_id: 1, holder: 'ann', beneficiary: 'bob' };

const created = (id: string, units: string, more: object = {}) =>
  tell('encumbrance.v1.EventCreated', {
    id,
    kind: 'KIND_PLEDGE',
    ...ABOUT,
    units,
    income_to_beneficiary: true,
    holder_release_after: null,
    exercisable: true,
    expiry: '9999-12-31T00:00:00Z',
    evidence_hash: '',
    actor: 'ann',
    actor_role: 'holder',
    ...more,
  });
const released = (id: string, units: string, remaining_units: string) =>
  tell('encumbrance.v1.EventReleased', {
    id,
    ...ABOUT,
    units,
    remaining_units,
    actor: 'eve',
    actor_role: 'releaser',
  });
const exercised = (id: string, units: string) =>
  tell('encumbrance.v1.EventExercised', { id, ...ABOUT, units, actor: 'bob', actor_role: 'beneficiary' });
const expired = (id: string, units: string) =>
  tellAtEnd('encumbrance.v1.EventExpired', { id, ...ABOUT, units });

const STATE = ['id', 'height', 'units', 'status', 'resolved_height'];
const TIMELINE = ['id', 'height', 'event', 'block_time_ns', 'tx_hash', 'actor', 'actor_role', 'units'];
const HASH = (byte: string) => byte.repeat(32);

describe('derivation of encumbrances', () => {
  const derive = (...blocks: Parameters<typeof deriveAll>[0][number][]) =>
    deriveAll([blockOf(0, assetCreated(3)), ...blocks], {
      derivations: [assetDerivation, encumbranceDerivation],
      kept: ['encumbrance'],
    });

  it('keeps what was created', () => {
    const evidence = Buffer.alloc(32, 0xab).toString('base64');
    const rows = derive(
      blockOf(
        4,
        created('1', '10'),
        created('2', '3', {
          kind: 'KIND_LOCKUP',
          beneficiary: '',
          income_to_beneficiary: false,
          holder_release_after: '1970-01-01T00:00:00Z',
          exercisable: false,
          expiry: null,
          evidence_hash: evidence,
        }),
      ),
    );
    const columns = ENCUMBRANCES.columns.map(([name]) => name);
    expect(columnsOf(rows, ENCUMBRANCES, columns)).toEqual([
      [
        ...['1', '4', 'pledge', ASSET, '1', 'ann', '10', 'bob', '1', '', '1', '9999-12-31T00:00:00Z', ''],
        ...['active', '4', '4000000000', HASH('04'), '0'],
      ],
      [
        ...['2', '4', 'lockup', ASSET, '1', 'ann', '3', '', '0', '1970-01-01T00:00:00Z', '0', '', HASH('ab')],
        ...['active', '4', '4000000000', HASH('04'), '0'],
      ],
    ]);
  });

  it('stays active until the last unit is released', () => {
    const rows = derive(
      blockOf(1, created('1', '10')),
      blockOf(2, released('1', '3', '7'), released('1', '2', '5')),
      blockOf(3, released('1', '5', '0')),
    );
    expect(columnsOf(rows, ENCUMBRANCES, STATE)).toEqual([
      ['1', '1', '10', 'active', '0'],
      ['1', '2', '5', 'active', '0'],
      ['1', '3', '0', 'released', '3'],
    ]);
    expect(columnsOf(rows, ENCUMBRANCE_TIMELINE, TIMELINE)).toEqual([
      ['1', '1', 'created', '1000000000', HASH('01'), 'ann', 'holder', '10'],
      ['1', '2', 'released', '2000000000', HASH('02'), 'eve', 'releaser', '3'],
      ['1', '2', 'released', '2000000000', HASH('02'), 'eve', 'releaser', '2'],
      ['1', '3', 'released', '3000000000', HASH('03'), 'eve', 'releaser', '5'],
    ]);
    expect(rows.get(DRIFT.name)).toBeUndefined();
  });

  it('ends with what is left when it is exercised or expires', () => {
    const rows = derive(
      blockOf(1, created('1', '10'), created('2', '10')),
      blockOf(2, released('1', '4', '6'), released('2', '1', '9')),
      blockOf(3, exercised('1', '6'), expired('2', '9')),
    );
    expect(columnsOf(rows, ENCUMBRANCES, STATE).slice(4)).toEqual([
      ['1', '3', '0', 'exercised', '3'],
      ['2', '3', '0', 'expired', '3'],
    ]);
    expect(columnsOf(rows, ENCUMBRANCE_TIMELINE, TIMELINE).slice(4)).toEqual([
      ['1', '3', 'exercised', '3000000000', HASH('03'), 'bob', 'beneficiary', '6'],
      ['2', '3', 'expired', '3000000000', HASH('00'), '', 'protocol', '9'],
    ]);
    expect(rows.get(DRIFT.name)).toBeUndefined();
  });

  it('holds what cannot be for drift, and goes by what it derived', () => {
    const rows = derive(
      blockOf(1, created('1', '10'), released('7', '1', '0')),
      blockOf(2, released('1', '4', '7')),
      blockOf(3, exercised('1', '5')),
      blockOf(4, released('1', '1', '0'), expired('1', '6'), created('1', '8')),
      blockOf(5, created('2', '2'), released('2', '3', '0')),
    );
    expect(columnsOf(rows, DRIFT, ['height', 'event_index', 'field', 'derived', 'told'])).toEqual([
      ['1', '1', 'record', '', ''],
      ['2', '0', 'remaining_units', '6', '7'],
      ['3', '0', 'units', '6', '5'],
      ['4', '0', 'status', 'exercised', 'active'],
      ['4', '1', 'status', 'exercised', 'active'],
      ['4', '2', 'record', '', ''],
      ['5', '1', 'remaining_units', '-1', '0'],
    ]);
    expect(columnsOf(rows, ENCUMBRANCES, STATE)).toEqual([
      ['1', '1', '10', 'active', '0'],
      ['1', '2', '6', 'active', '0'],
      ['1', '3', '0', 'exercised', '3'],
      ['2', '5', '0', 'released', '5'],
    ]);
    expect(columnsOf(rows, ENCUMBRANCE_TIMELINE, ['id', 'height', 'event', 'units'])).toEqual([
      ['1', '1', 'created', '10'],
      ['1', '2', 'released', '4'],
      ['1', '3', 'exercised', '6'],
      ['2', '5', 'created', '2'],
      ['2', '5', 'released', '3'],
    ]);
  });
});

/** An encumbrance of the chain's own state; times that are not set are null or absent. */
interface Known {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly units: string;
  readonly evidence_hash: string;
  readonly holder_release_after?: string | null;
  readonly expiry?: string | null;
  readonly [field: string]: unknown;
}

const STATUSES = ['STATUS_ACTIVE', 'STATUS_RELEASED', 'STATUS_EXERCISED', 'STATUS_EXPIRED'];
const bare = (text: string) => text.replace(/^(KIND|STATUS)_/, '').toLowerCase();

describe('encumbrances', () => {
  let index: IndexedDevnet;
  /** The chain's height when these tests began. */
  let head: number;
  beforeAll(async () => {
    index = await referenceWorld();
    await index.goOn(0, async () =>
      (await knownAt(index.height)).some(({ status }) => status === 'STATUS_ACTIVE'),
    );
    head = index.height;
  }, 120_000);

  const knownAt = async (height: number): Promise<readonly Known[]> =>
    (await index.query('encumbrance', 'Export', {}, height)).encumbrances as unknown as Known[];

  const expectAnswer = async (each: Known, events: readonly ChainEvent[]): Promise<void> => {
    const own = events.filter(({ fields }) => fields.id === each.id);
    const [first, last] = [own[0], own.at(-1)];
    const answer = await index.api.get(`/v1/encumbrances/${each.id}`);
    expect(answer).toEqual({
      encumbrance: {
        ...each,
        id: Number(each.id),
        kind: bare(each.kind),
        status: bare(each.status),
        holder_release_after: each.holder_release_after ?? null,
        expiry: each.expiry ?? null,
        evidence_hash: Buffer.from(each.evidence_hash, 'base64').toString('hex'),
        created_height: first?.height,
        created_tx_hash: first?.txHash,
        created_at: first?.blockTime,
        resolved_height: each.status === 'STATUS_ACTIVE' ? null : last?.height,
        updated_height: last?.height,
      },
      timeline: own.map(({ type, height, blockTime, txHash, fields }) => ({
        event: type.replace('encumbrance.v1.Event', '').toLowerCase(),
        height,
        block_time: blockTime,
        tx_hash: txHash,
        actor: fields.actor ?? null,
        actor_role: fields.actor_role ?? 'protocol',
        units: { amount: fields.units },
      })),
    });
  };

  it('are those of the chain, with what happened to them', async () => {
    const known = await knownAt(head);
    for (const status of STATUSES) expect(known.filter((each) => each.status === status)).not.toEqual([]);
    for (const kind of ['KIND_PLEDGE', 'KIND_LIEN', 'KIND_LOCKUP'])
      expect(known.filter((each) => each.kind === kind)).not.toEqual([]);
    const events = chainEvents(index, 'encumbrance');
    expect(events.some(({ fields }) => !['0', undefined].includes(fields.remaining_units as string))).toBe(
      true,
    );
    for (const each of known) await expectAnswer(each, events);
  });

  it('are as they were at an earlier height', async () => {
    const reading = await readingAt(index, head);
    const ids = (await knownAt(head)).map(({ id }) => BigInt(id));
    for (const height of [1, 40, 85]) {
      const found = await encumbrancesByIds(reading, ids, height);
      const known = await knownAt(height);
      expect([...found.values()].map(({ id, units, status }) => `${id} ${units} ${status}`)).toEqual(
        known.map(({ id, units, status }) => `${id} ${units} ${bare(status)}`),
      );
    }
  });

  it('refuse what does not parse, and what is not there', async () => {
    const { expectError } = index.api;
    for (const id of ['x', '-1', '0x1', String(2n ** 63n)]) await expectError(`/v1/encumbrances/${id}`, 400);
    for (const id of ['0', '999999', String(2n ** 63n - 1n)])
      await expectError(`/v1/encumbrances/${id}`, 404);
  });

  it('go on behind a restart of the writer', async () => {
    const isNewEnd = ({ height, type }: ChainEvent) =>
      height > head && type !== 'encumbrance.v1.EventCreated';
    await index.goOn(1, () => chainEvents(index, 'encumbrance').some(isNewEnd));
    const events = chainEvents(index, 'encumbrance');
    const changed = new Set(events.filter(({ height }) => height > head).map(({ fields }) => fields.id));
    const known = (await knownAt(index.height)).filter(({ id }) => changed.has(id));
    expect(known.length).toBeGreaterThan(0);
    for (const each of known) await expectAnswer(each, events);
  });
});
