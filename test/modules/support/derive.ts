import { chainSection } from 'strata-devnet/chain-section';
import { DEFAULT_PARAMETERS } from 'strata-devnet/devnet';
import { serviceAccount } from 'strata-devnet/workload/accounts';
import { expect } from 'vitest';
import type { TableBlock } from '../../../src/core/table.ts';
import { SHARED_TABLES } from '../../../src/core/tables.ts';
import type { Derivation, VersionReader } from '../../../src/derive/derivation.ts';
import { createDeriver, type Deriver } from '../../../src/derive/deriver.ts';
import type { BlockFacts } from '../../../src/derive/facts.ts';
import { loadModules } from '../../../src/modules/load.ts';
import { deriveParameters, settledFacts } from '../../../src/pipeline/derive-options.ts';
import { TEST_MODULE_PATHS } from '../../support/module-paths.ts';
import type { NativeRow } from '../../support/native-rows.ts';
import { type Rows, rowsOf } from './versions.ts';

/** Every module's derivation, without a store. */

const MODULES = await loadModules(TEST_MODULE_PATHS);

export const DERIVATIONS: readonly Derivation[] = MODULES.flatMap(({ derivation }) =>
  derivation === undefined ? [] : [derivation],
);
export const GENERATION = 3;

const { hrp } = DEFAULT_PARAMETERS;
/** What an indexer of the reference chain is configured with. */
export const DEVNET_SECTION = chainSection({
  ...DEFAULT_PARAMETERS,
  bridgeAuthority: serviceAccount('bridge-authority', hrp).address,
  relayer: serviceAccount('relayer', hrp).address,
});

export interface DeriverTestOptions {
  /** The modules whose rows are kept; all by default. */
  readonly kept?: readonly string[];
  readonly derivations?: readonly Derivation[];
}

export function openDeriver({ kept, derivations = DERIVATIONS }: DeriverTestOptions = {}): Deriver {
  const modules = derivations.map(({ module }) => module);
  return createDeriver({
    derivations,
    parameters: deriveParameters('aeva', settledFacts(DEVNET_SECTION, new Map()), hrp),
    generations: new Map((kept ?? modules).map((module) => [module, GENERATION])),
  });
}

/** Blocks in ranges that end at these places, the last one at the end of the blocks. */
export function inRanges(
  deriver: Deriver,
  blocks: readonly BlockFacts[],
  ends: readonly number[] = [],
): readonly (readonly TableBlock[])[] {
  const bounds = [0, ...ends, blocks.length];
  return bounds.slice(1).map((end, i) => deriver.derive(blocks.slice(bounds[i], end)));
}

export function deriveAll(blocks: readonly BlockFacts[], options?: DeriverTestOptions): Rows {
  return rowsOf(inRanges(openDeriver(options), blocks));
}

/** The rows of blocks behind a restart. */
export async function deriveAfter(versions: VersionReader, blocks: readonly BlockFacts[]): Promise<Rows> {
  const deriver = openDeriver();
  await deriver.restore(versions);
  return rowsOf(inRanges(deriver, blocks));
}

/** A line a row, so that a difference can be read. Tables without rows are left out. */
export function linesOf(rows: Rows): ReadonlyMap<string, readonly string[]> {
  const line = (row: NativeRow): string =>
    JSON.stringify(
      Object.entries(row).map(([name, value]) => [
        name,
        Buffer.isBuffer(value) ? value.toString('hex') : typeof value === 'bigint' ? String(value) : value,
      ]),
    );
  return new Map(
    [...rows]
      .filter(([, list]) => list.length > 0)
      .map(([table, list]) => {
        const lines = list.map(line);
        // of modules together, each has rows of its own; a range has them module by module
        return [table, SHARED.has(table) ? lines.sort() : lines];
      }),
  );
}

const SHARED = new Set(SHARED_TABLES.map(({ name }) => name));
const MAX_TOLD = 5;

/** The same rows of the same tables, in the same order. */
export function expectSameRows(found: Rows, expected: Rows, what: string): void {
  const [first, second] = [linesOf(found), linesOf(expected)];
  expect([...first.keys()].sort(), what).toEqual([...second.keys()].sort());
  for (const [table, lines] of first) {
    const wanted = second.get(table) ?? [];
    if (lines.join('\n') === wanted.join('\n')) continue;
    const differing = (of: readonly string[], from: readonly string[]): readonly string[] => {
      const others = new Set(from);
      return of.filter((line) => !others.has(line)).slice(0, MAX_TOLD);
    };
    expect
      .soft({ what, table, rows: lines.length, first: differing(lines, wanted) })
      .toEqual({ what, table, rows: wanted.length, first: differing(wanted, lines) });
    const at = lines.findIndex((line, i) => line !== wanted[i]);
    expect.soft(lines.slice(at, at + 2), `${what}: the order of ${table}`).toEqual(wanted.slice(at, at + 2));
  }
}

/** Rows of both, one after the other. */
export function joined(first: Rows, second: Rows): Rows {
  const tables = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...tables].map((table) => [table, [...(first.get(table) ?? []), ...(second.get(table) ?? [])]]),
  );
}
