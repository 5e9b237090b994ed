import { StrataError } from 'strata-kit/errors';
import { GrowingBytes, TableBuilder } from '../core/native.ts';
import { digestSinceMark } from '../core/row-digest.ts';
import type { DerivedTable, TableBlock } from '../core/table.ts';
import { DRIFT, MODULE_DIGESTS } from '../core/tables.ts';

/** The column that every stored row of a derived or shared table begins with. */
export const GENERATION_COLUMN = 'generation';

interface ModuleTables {
  readonly module: string;
  /** Undefined for a module whose rows are dropped. */
  readonly generation: number | undefined;
  /** Its own tables, then drift: what the digest is over. */
  readonly hashed: readonly TableBuilder[];
  readonly drift: TableBuilder<typeof DRIFT>;
  readonly digests: TableBuilder<typeof MODULE_DIGESTS>;
}

/** The builders of the modules' tables: rows, their generations, and a digest a height and module. */
export class DerivedTables {
  readonly #builders = new Map<string, TableBuilder>();
  readonly #modules = new Map<string, ModuleTables>();
  readonly #scratch = new GrowingBytes();

  constructor(
    modules: readonly { readonly module: string; readonly tables: readonly DerivedTable[] }[],
    generations: ReadonlyMap<string, number>,
  ) {
    for (const { module, tables } of modules) {
      const own = tables.map((spec) => {
        if (this.#builders.has(spec.name) || spec.module !== module) {
          throw new StrataError('internal', `module ${module} has no right to the table ${spec.name}`);
        }
        const builder = new TableBuilder<DerivedTable>(spec);
        this.#builders.set(spec.name, builder);
        return builder;
      });
      const drift = new TableBuilder(DRIFT);
      const digests = new TableBuilder(MODULE_DIGESTS);
      this.#modules.set(module, {
        module,
        generation: generations.get(module),
        hashed: [...own, drift],
        drift,
        digests,
      });
    }
  }

  builder<Spec extends DerivedTable>(spec: Spec): TableBuilder<Spec> {
    const builder = this.#builders.get(spec.name);
    if (builder === undefined) throw new StrataError('internal', `no module has a table ${spec.name}`);
    return builder as unknown as TableBuilder<Spec>;
  }

  driftOf(module: string): TableBuilder<typeof DRIFT> {
    const tables = this.#modules.get(module);
    if (tables === undefined) throw new StrataError('internal', `there is no module ${module}`);
    return tables.drift;
  }

  /** Closes a height: a digest for each module that has rows. */
  endHeight(height: number): void {
    for (const { module, hashed, digests } of this.#modules.values()) {
      if (!hashed.some(({ rowsSinceMark }) => rowsSinceMark > 0)) continue;
      digests.append({ module, height, digest: digestSinceMark(hashed, this.#scratch) });
    }
  }

  /** The tables that have rows as Native blocks; the builders are empty afterwards. */
  finish(): readonly TableBlock[] {
    const blocks: TableBlock[] = [];
    for (const { generation, hashed, digests } of this.#modules.values()) {
      for (const table of [...hashed, digests]) {
        const { rows, spec } = table;
        if (rows === 0 || generation === undefined) table.reset();
        else blocks.push({ table: spec.name, rows, native: table.finish([GENERATION_COLUMN, generation]) });
      }
    }
    return blocks;
  }
}
