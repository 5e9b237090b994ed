import { StrataError } from '../core/errors.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableBlock, TableSpec } from '../core/tables.ts';
import type { DecodedRange } from '../decode/range.ts';
import type { Derivation, VersionReader } from '../derive/derivation.ts';
import { createDeriver, type Deriver } from '../derive/deriver.ts';
import { readNativeFacts } from '../derive/native-facts.ts';
import { type Checkpoint, replaceCheckpoint } from '../store/checkpoints.ts';
import { identifier, quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { type DeriveOptions, derivedSpecs } from './derive-options.ts';
import { type RederiveOptions, type RederiveReport, rederive, withGeneration } from './rederive.ts';

/**
 * Whether modules derive: `forced` in a store that does not begin with the chain's first block, `undecided` before its
 * first block is there.
 */
export type ModulesState = 'on' | 'forced' | 'off' | 'undecided';

/** What the writer does with ranges beside storing their rows: the modules' rows, as long as modules are on. */
export interface DeriveStage {
  /** Every table that it may give rows of. */
  readonly tables: readonly TableSpec[];
  state(): ModulesState;
  /** What the next checkpoint says of modules and their tables; empty while modules are off. */
  named(): Pick<Checkpoint, 'generations' | 'tableGenerations'>;
  /**
   * Brings the modules' state to the checkpoint, before the first range. Modules that it does not name are derived from
   * what the store holds, and one that is no module any more is named no longer: then the checkpoint that it returns is
   * another one, already written.
   */
  open(checkpoint: Checkpoint | undefined, tools: RederiveTools): Promise<Opened>;
  /**
   * Makes rows of modules anew (rederive.ts), all where none is named, and goes on from them. Between two ranges.
   * Errors: config_invalid where modules are off, there is no such module, or another one reads it; those of rederive.
   */
  rederive(checkpoint: Checkpoint, module: string | undefined, tools: RederiveTools): Promise<Opened>;
  /** The rows of the next range. Errors: derive_failed. */
  derive(range: DecodedRange): readonly TableBlock[];
}

export interface Opened {
  readonly checkpoint: Checkpoint | undefined;
  /** What was derived from stored facts, if anything. */
  readonly rederived?: RederiveReport;
}

export type RederiveTools = Omit<RederiveOptions, 'derive' | 'modules'>;

const FIRST_GENERATION = 1;
const RESTORE_SECONDS = 3_600;

export function createDeriveStage(store: Store, options: DeriveOptions): DeriveStage {
  const { derivations, parameters } = options;
  let deriver: Deriver | undefined;
  let generations: ReadonlyMap<string, number> = new Map();
  let state: ModulesState = 'undecided';

  const turnOn = (by: ReadonlyMap<string, number>): Deriver => {
    generations = by;
    deriver = createDeriver({ derivations, parameters, generations });
    return deriver;
  };

  const restoreFrom = async (checkpoint: Checkpoint): Promise<void> => {
    await turnOn(checkpoint.generations).restore(versionReader(store, checkpoint));
  };

  const make = async (
    checkpoint: Checkpoint,
    modules: readonly string[],
    tools: RederiveTools,
  ): Promise<Opened> => {
    const made = await rederive(store, checkpoint, { ...tools, derive: options, modules });
    await restoreFrom(made.checkpoint);
    return { checkpoint: made.checkpoint, rederived: made.report };
  };

  return {
    tables: derivedSpecs(derivations),
    state: () => state,
    named: () => ({
      generations,
      tableGenerations: new Map(
        derivations.flatMap(({ module, tables }) => {
          const generation = generations.get(module);
          return generation === undefined ? [] : tables.map(({ name }) => [name, generation] as const);
        }),
      ),
    }),
    async open(checkpoint, tools) {
      if (checkpoint === undefined) return { checkpoint };
      const isWhole = await beginsWithFirstBlock(store, checkpoint.firstHeight);
      const isOn = isWhole || options.isForced === true || checkpoint.generations.size > 0;
      state = !isOn || derivations.length === 0 ? 'off' : isWhole ? 'on' : 'forced';
      const missing = state === 'off' ? [] : derivations.filter((each) => !isNamed(each, checkpoint));
      const hasLeft = [...checkpoint.generations.keys()].some((name) =>
        derivations.every(({ module }) => module !== name),
      );
      const isOther = missing.length > 0 || hasLeft;
      const toMake = derivations.filter(
        (each) => missing.includes(each) || (isOther && each.seesAll === true),
      );
      if (toMake.length > 0) {
        return make(
          checkpoint,
          toMake.map(({ module }) => module),
          tools,
        );
      }
      let opened = checkpoint;
      if (hasLeft) {
        opened = await withGeneration(store, checkpoint, { derive: options, modules: [], generation: 0 });
        await replaceCheckpoint(store, opened);
      }
      if (state !== 'off') await restoreFrom(opened);
      return { checkpoint: opened };
    },
    async rederive(checkpoint, module, tools) {
      if (deriver === undefined) throw modulesOff();
      const modules = module === undefined ? derivations.map((each) => each.module) : [module];
      if (module !== undefined) checkAlone(derivations, module);
      return make(checkpoint, modules, tools);
    },
    derive(range) {
      if (state === 'undecided') {
        // the chain's first block has no parent: only from there on is its state known from events
        const isWhole = range.headers[0]?.parentHash === '';
        const isOn = derivations.length > 0 && (isWhole || options.isForced === true);
        state = !isOn ? 'off' : isWhole ? 'on' : 'forced';
        if (isOn) turnOn(new Map(derivations.map(({ module }) => [module, FIRST_GENERATION])));
      }
      if (deriver === undefined) return [];
      return deriver.derive(readNativeFacts(range.headers, range.tables, deriver.filter));
    },
  };
}

/** Whether the checkpoint counts rows of the module, and of all its tables. */
function isNamed({ module, tables }: Derivation, { generations, tableGenerations }: Checkpoint): boolean {
  return generations.has(module) && tables.every(({ name }) => tableGenerations.has(name));
}

/** The chain's first block has no parent. */
async function beginsWithFirstBlock(store: Store, firstHeight: number): Promise<boolean> {
  const rows = new RowReader(
    await store.query(
      `SELECT count() FROM blocks WHERE height = ${uintLiteral(firstHeight)} AND parent_hash = toFixedString('', 32)`,
    ),
  );
  return rows.u64() > 0;
}

function modulesOff(): StrataError {
  return new StrataError(
    'config_invalid',
    "modules are off: the store does not begin with the chain's first block, so that what its events change is not known. --force-modules derives all the same",
  );
}

/** A module can be made anew by itself where no other one has looked at its state. Errors: config_invalid. */
function checkAlone(derivations: readonly Derivation[], module: string): void {
  if (derivations.every((each) => each.module !== module)) {
    const known = derivations.map((each) => each.module).join(', ');
    throw new StrataError('config_invalid', `there is no module ${module}: it is one of ${known}`);
  }
  const readers = derivations.filter(({ reads }) => reads.includes(module)).map((each) => each.module);
  if (readers.length === 0) return;
  throw new StrataError(
    'config_invalid',
    `module ${module} cannot be derived by itself, as ${readers.join(', ')} ${readers.length === 1 ? 'depends' : 'depend'} on it: leave --module out to derive all`,
  );
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
