import { type Lie, liesIn } from 'strata-devnet/faults/lies';
import { startRpc } from 'strata-devnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { RowReader } from '../../src/core/rowbinary.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { comparedFields } from './support/compared-fields.ts';
import { DERIVATIONS, deriveAll, expectSameRows, openDeriver } from './support/derive.ts';
import { factsOf } from './support/facts.ts';
import type { Rows } from './support/versions.ts';

/** A chain whose events lie: each lie is one row of drift, and nothing that is derived believes it. */

const BLOCKS = 140;

const FIELDS = comparedFields();

interface Row {
  readonly height: number;
  readonly txIndex: number;
  readonly eventIndex: number;
  readonly type: string;
  readonly field: string;
  readonly right: string;
  readonly told: string;
}

let index: IndexedDevnet;
let lies: readonly Lie[];
let drift: readonly Row[];

beforeAll(async () => {
  index = await openDevnetIndex({
    seed: 11,
    blocks: BLOCKS,
    faults: FIELDS.map((field) => `event-value:${field}@2`),
  });
  const { devnet, told } = index;
  lies = Array.from({ length: BLOCKS }, (_, i) => i + 1).flatMap((height) => {
    const [block, wrong] = [devnet.chain.block(height), told.block(height)];
    return block === undefined || wrong === undefined ? [] : liesIn(block, wrong);
  });
  drift = await driftOf(index);
}, 120_000);
afterAll(() => index?.close());

async function driftOf({ api }: IndexedDevnet): Promise<Row[]> {
  const store = await api.stores.open('drift');
  const row = new RowReader(
    await store.query('SELECT height, tx_index, event_index, type, field, derived, told FROM drift'),
  );
  const rows: Row[] = [];
  while (!row.done) {
    rows.push({
      height: row.u64(),
      txIndex: row.i32(),
      eventIndex: row.u32(),
      type: row.string(),
      field: row.string(),
      right: row.string(),
      told: row.string(),
    });
  }
  await store.close();
  return rows;
}

function sorted(rows: readonly (Row | Lie)[]): string[] {
  return rows
    .map(({ height, txIndex, eventIndex, type, field, right, told }) =>
      [height, txIndex, eventIndex, type, field, right, told].join(' '),
    )
    .sort();
}

describe('a chain that lies in every field that is compared', () => {
  it('tells lies of every field', () => {
    expect(FIELDS.length).toBe(30);
    const told = new Set(lies.map(({ type, field }) => `${type.replace(/^aeva\.|v1\./g, '')}.${field}`));
    expect(FIELDS.filter((field) => !told.has(field))).toEqual([]);
  });

  it('is indexed to its head', async () => {
    expect(await index.api.get('/v1/status')).toMatchObject({ indexed_height: BLOCKS });
    await index.goOn(5);
    expect(await index.api.get('/v1/status')).toMatchObject({ indexed_height: BLOCKS + 5 });
  });

  it('has a row of drift for each lie, and no other', () => {
    expect(sorted(drift)).toEqual(sorted(lies));
  });

  it('is listed by /v1/invariants, the newest first, of all assets or of one', async () => {
    interface Listed extends Pick<Row, 'type' | 'field'> {
      readonly source: string;
      readonly height: number;
      readonly tx_index: number;
      readonly event_index: number;
      readonly chain: string;
      readonly indexer: string;
    }
    const listed = async (query = ''): Promise<Listed[]> =>
      (await index.api.get<{ drift: Listed[] }>(`/v1/invariants${query}`)).drift;
    const lineOf = ({ height, tx_index, event_index, type, field, indexer, chain }: Listed) =>
      [height, tx_index, event_index, type, field, indexer, chain].join(' ');
    const newest = (await driftOf(index)).toSorted(
      (a, b) =>
        b.height - a.height ||
        b.txIndex - a.txIndex ||
        b.eventIndex - a.eventIndex ||
        (a.field < b.field ? -1 : 1),
    );
    const all = await listed();
    expect(all).toHaveLength(200);
    expect(new Set(all.map(({ source }) => source))).toEqual(new Set(['event']));
    expect(all.map(lineOf)).toEqual(
      newest
        .slice(0, 200)
        .map(({ height, txIndex, eventIndex, type, field, right, told }) =>
          [height, txIndex, eventIndex, type, field, right, told].join(' '),
        ),
    );
    const { assets } = await index.api.get<{ assets: { id: string }[] }>('/v1/assets?limit=1');
    const ofOne = await listed(`?asset=${assets[0]?.id}`);
    expect(ofOne.length).toBeGreaterThan(0);
    expect(ofOne.length).toBeLessThan(all.length);
    for (const { height, tx_index, event_index } of ofOne) {
      const block = index.devnet.chain.block(height);
      const events = tx_index < 0 ? block?.events : block?.results[tx_index]?.events;
      expect(JSON.stringify(events?.[event_index])).toContain(assets[0]?.id);
    }
  });

  it('has no other state than one that tells the truth', async () => {
    const rpc = await startRpc({ chain: index.devnet.chain, port: 0 });
    const source = createRpcSource({ urls: [rpc.url] });
    const { filter } = openDeriver();
    const [right, wrong] = [
      deriveAll(await factsOf({ source, height: BLOCKS }, filter)),
      deriveAll(await factsOf({ source: index.source, height: BLOCKS }, filter)),
    ];
    await source.close();
    await rpc.close();
    const states = DERIVATIONS.flatMap(({ tables }) => tables.map(({ name }) => name));
    const statesOf = (rows: Rows): Rows => new Map(states.map((table) => [table, rows.get(table) ?? []]));
    expectSameRows(statesOf(wrong), statesOf(right), 'told lies');
  });
});
