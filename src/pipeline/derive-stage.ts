import { StrataError } from '../core/errors.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableBlock, TableSpec } from '../core/tables.ts';
import type { DecodedRange } from '../decode/range.ts';
import type { Derivation, DeriveParameters, VersionReader } from '../derive/derivation.ts';
import { GENERATION_COLUMN, SHARED_TABLES } from '../derive/derived-tables.ts';
import { createDeriver, type Deriver } from '../derive/deriver.ts';
import { readNativeFacts } from '../derive/native-facts.ts';
import type { Checkpoint } from '../store/checkpoints.ts';
import { identifier, quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** What the writer does with ranges beside storing their rows: the modules' rows, as long as modules are on. */
export interface DeriveStage {
  /** Every table that it may give rows of. */
  readonly tables: readonly TableSpec[];
  /** What the next checkpoint says; empty while modules are off. */
  generations(): ReadonlyMap<string, number>;
  /** Brings the modules' state to the checkpoint. Before the first range. */
  open(checkpoint: Checkpoint | undefined): Promise<void>;
  /** The rows of the next range. Errors: derive_failed. */
  derive(range: DecodedRange): readonly TableBlock[];
}

export interface DeriveOptions {
  /** In the order in which they see an event. */
  readonly derivations: readonly Derivation[];
  readonly parameters: DeriveParameters;
  /** Derives from whatever height the store begins at; otherwise from the chain's first block only. */
  readonly isForced?: boolean;
}

const FIRST_GENERATION = 1;
const RESTORE_SECONDS = 3_600;

export function createDeriveStage(store: Store, options: DeriveOptions): DeriveStage {
  const { derivations, parameters } = options;
  let deriver: Deriver | undefined;
  let generations: ReadonlyMap<string, number> = new Map();
  let isDecided = derivations.length === 0;

  const turnOn = (by: ReadonlyMap<string, number>): Deriver => {
    generations = by;
    deriver = createDeriver({ derivations, parameters, generations });
    return deriver;
  };

  return {
    tables: [...derivations.flatMap(({ tables }) => tables), ...SHARED_TABLES].map(({ name, columns }) => ({
      name,
      columns: [[GENERATION_COLUMN, 'UInt32'], ...columns],
    })),
    generations: () => generations,
    async open(checkpoint) {
      if (checkpoint === undefined || derivations.length === 0) return;
      isDecided = true;
      if (checkpoint.generations.size === 0) return;
      await turnOn(checkpoint.generations).restore(versionReader(store, checkpoint));
    },
    derive(range) {
      if (!isDecided) {
        isDecided = true;
        // the chain's first block has no parent: only from there on is its state known from events
        const isWhole = range.headers[0]?.parentHash === '';
        if (isWhole || options.isForced === true) {
          turnOn(new Map(derivations.map(({ module }) => [module, FIRST_GENERATION])));
        }
      }
      if (deriver === undefined) return [];
      return deriver.derive(readNativeFacts(range.headers, range.tables, deriver.filter));
    },
  };
}

function versionReader(store: Store, { height, generations }: Checkpoint): VersionReader {
  const rowsOf = async (sql: string): Promise<RowReader> =>
    new RowReader(await store.query(sql, { timeoutSeconds: RESTORE_SECONDS }));
  const conditionOf = (module: string): string => {
    const generation = generations.get(module);
    if (generation === undefined) throw new StrataError('internal', `module ${module} has no generation`);
    return `generation = ${uintLiteral(generation)} AND height <= ${uintLiteral(height)}`;
  };
  return {
    async latest({ name, module, key }, columns, read, only) {
      const keys = key.map(identifier).join(', ');
      const list = columns.map(identifier).join(', ');
      const newest = (selected: string) =>
        `SELECT ${selected} FROM ${identifier(name)} WHERE ${conditionOf(module)} ` +
        `ORDER BY ${keys}, height DESC LIMIT 1 BY ${keys}`;
      const rows = await rowsOf(
        only === undefined
          ? newest(list)
          : `SELECT ${list} FROM (${newest('*')}) WHERE ${identifier(only[0])} = ${quote(only[1])} ORDER BY ${keys}`,
      );
      while (!rows.done) read(rows);
    },
    async rows({ name, module }, columns, read) {
      const rows = await rowsOf(
        `SELECT ${columns.map(identifier).join(', ')} FROM ${identifier(name)} WHERE ${conditionOf(module)}`,
      );
      while (!rows.done) read(rows);
    },
  };
}
