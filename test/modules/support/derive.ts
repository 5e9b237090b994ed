import type { TableBlock } from '../../../src/core/tables.ts';
import type { Derivation, VersionReader } from '../../../src/derive/derivation.ts';
import { SHARED_TABLES } from '../../../src/derive/derived-tables.ts';
import { createDeriver, type Deriver } from '../../../src/derive/deriver.ts';
import type { BlockFacts } from '../../../src/derive/facts.ts';
import { MODULES } from '../../../src/modules/modules.ts';
import { type Rows, rowsOf } from './versions.ts';

/** Every module's derivation, without a store. */

export const DERIVATIONS: readonly Derivation[] = MODULES.flatMap(({ derivation }) =>
  derivation === undefined ? [] : [derivation],
);
export const GENERATION = 3;

export interface DeriverTestOptions {
  /** The modules whose rows are kept; all by default. */
  readonly kept?: readonly string[];
  readonly derivations?: readonly Derivation[];
}

export function openDeriver({ kept, derivations = DERIVATIONS }: DeriverTestOptions = {}): Deriver {
  const modules = derivations.map(({ module }) => module);
  return createDeriver({
    derivations,
    parameters: { namespace: 'aeva' },
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

const SHARED = new Set(SHARED_TABLES.map(({ name }) => name));

/** A line a row, so that a difference can be read. In tables of all modules, rows of a range stand module by module. */
export function linesOf(rows: Rows): Readonly<Record<string, readonly string[]>> {
  const line = (_key: string, value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : Buffer.isBuffer(value) ? value.toString('hex') : value;
  return Object.fromEntries(
    [...rows]
      .filter(([, list]) => list.length > 0)
      .map(([table, list]) => {
        const lines = list.map((row) => JSON.stringify(row, line));
        return [table, SHARED.has(table) ? lines.sort() : lines] as const;
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** Rows of both, one after the other. */
export function joined(first: Rows, second: Rows): Rows {
  const tables = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...tables].map((table) => [table, [...(first.get(table) ?? []), ...(second.get(table) ?? [])]]),
  );
}
