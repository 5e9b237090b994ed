import type { JsonObject } from 'strata-kit/proto-json';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StateAt } from '../../src/modules/export.ts';
import { compareExport, MODULE_EXPORTS } from '../../src/reconcile/exports.ts';
import { openStateAt } from '../../src/reconcile/state-at.ts';
import type { Store } from '../../src/store/store.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

/** That a whole state is equal is worth what its comparison notices: each value of a record of each kind is made wrong. */

/** What follows from values that are compared, or is the chain's alone. */
const UNCOMPARED: Readonly<Record<string, readonly string[]>> = {
  payout: ['accruals.module_held', 'accruals.carry', 'accruals.residue'],
  bridge: ['next_message', 'routes.outbound_window', 'routes.inbound_window'],
  settlement: ['next_id'],
  encumbrance: ['next_id'],
  delegation: ['next_id'],
  waterfall: ['waterfalls.paid.kind_id'],
};

let index: IndexedDevnet;
let store: Store;
let state: StateAt;
let at: { readonly timeNs: bigint };
beforeAll(async () => {
  index = await referenceWorld();
  store = await index.api.stores.open('test');
  const opened = await openStateAt(askedOnce(store));
  if (opened === undefined) throw new Error('the store derives no modules');
  ({ state } = opened);
  at = opened;
}, 120_000);
afterAll(async () => {
  await store?.close();
});

/** The store does not change here: the same statement has the same answer. */
function askedOnce(of: Store): Store {
  const answers = new Map<string, Promise<Uint8Array>>();
  const query: Store['query'] = (sql, options) => {
    const answer = answers.get(sql) ?? of.query(sql, options);
    answers.set(sql, answer);
    return answer;
  };
  return { ...of, query };
}

type Path = readonly (string | number)[];

/** Which fields of a record say something. */
function shapeOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  return Object.entries(record)
    .filter(([, value]) => value !== '' && value !== null)
    .map(([key]) => key)
    .join();
}

/** The places of all values of an export, of each list's largest record of each shape. */
function places(value: unknown, path: Path = []): Path[] {
  if (Array.isArray(value)) {
    const largest = new Map<string, number>();
    for (const [index, each] of value.entries()) {
      const shape = shapeOf(each);
      const known = largest.get(shape);
      const isLarger =
        known === undefined || JSON.stringify(each).length > JSON.stringify(value[known]).length;
      if (isLarger) largest.set(shape, index);
    }
    return [...largest.values()].flatMap((index) => places(value[index], [...path, index]));
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => places(part, [...path, key]));
  }
  return value === null ? [] : [path];
}

/** Up to where a basis without units is settled changes nothing that it may claim. */
function isMeaningless(module: string, exported: JsonObject, path: Path): boolean {
  if (module !== 'payout' || nameOf(path) !== 'bases.accruals.last_index') return false;
  const basis = (exported.bases as { units: string }[])[Number(path[1])];
  return basis?.units === '0';
}

function nameOf(path: Path): string {
  return path.filter((part) => typeof part === 'string').join('.');
}

/** The same with one value made another of its type. */
function wronged(value: unknown, [first, ...rest]: Path): unknown {
  if (first === undefined) return wrong(value);
  if (Array.isArray(value)) return value.with(Number(first), wronged(value[Number(first)], rest));
  const object = value as Record<string, unknown>;
  return { ...object, [first]: wronged(object[first], rest) };
}

function wrong(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  const text = String(value);
  if (/^\d+$/.test(text)) return String(BigInt(text) + 1n);
  // a time stays one, and bytes too
  if (/^\d{4}-/.test(text)) return text.replace(/^\d{4}/, (year) => String(Number(year) + 1));
  return text === '' ? 'AAAA' : `${text[0] === 'A' ? 'B' : 'A'}${text.slice(1)}`;
}

describe.each(MODULE_EXPORTS.map((each) => [each.module, each] as const))(
  'the export of %s',
  (module, compared) => {
    it('differs in nothing as it is, and in each value that is made wrong', async () => {
      const exported: JsonObject = await index.query(module, 'Export');
      const truth = await compareExport(compared, [exported], state, at);
      expect(truth.differences).toEqual([]);
      const unnoticed: string[] = [];
      const all = places(exported).filter((path) => !isMeaningless(module, exported, path));
      expect(all.length).toBeGreaterThan(5);
      for (const path of all) {
        const { differences } = await compareExport(
          compared,
          [wronged(exported, path) as JsonObject],
          state,
          at,
        );
        if (differences.length === 0) unnoticed.push(nameOf(path));
      }
      expect(unnoticed.filter((name) => !UNCOMPARED[module]?.includes(name))).toEqual([]);
    });

    it('differs by a record that only one side has', async () => {
      const exported: JsonObject = await index.query(module, 'Export');
      const lists = Object.entries(exported).filter(([, value]) => Array.isArray(value) && value.length > 0);
      expect(lists.length).toBeGreaterThan(0);
      for (const [list, records] of lists) {
        // the largest: what holds nothing is no record
        const sizes = (records as unknown[]).map((each) => JSON.stringify(each).length);
        const fewer = (records as unknown[]).toSpliced(sizes.indexOf(Math.max(...sizes)), 1);
        const { differences } = await compareExport(
          compared,
          [{ ...exported, [list]: fewer } as JsonObject],
          state,
          at,
        );
        expect(
          differences.some(
            ({ field, chain, indexer }) => `${field} ${chain}-${indexer}` === 'record -present',
          ),
        ).toBe(true);
      }
    });
  },
);
