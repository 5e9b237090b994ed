import { StrataError } from 'strata-kit/errors';
import { areModulesOn } from '../core/layers.ts';
import type { ParameterFacts } from '../core/parameter-facts.ts';
import { RowReader } from '../core/rowbinary.ts';
import type { TableBlock, TableSpec } from '../core/table.ts';
import type { DecodedRange } from '../decode/range.ts';
import { dependenciesOf, ownParameters, versionsOf } from '../derive/dependencies.ts';
import type { Derivation, DeriveParameters } from '../derive/derivation.ts';
import { createDeriver, type Deriver } from '../derive/deriver.ts';
import { readNativeFacts } from '../derive/native-facts.ts';
import { type Checkpoint, replaceCheckpoint } from '../store/checkpoints.ts';
import { readFacts, writeFacts } from '../store/facts.ts';
import { uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import {
  type ConfiguredDerivation,
  type DeriveOptions,
  derivedSpecs,
  deriveParameters,
  settledFacts,
} from './derive-options.ts';
import {
  type RederivedWith,
  type RederiveOptions,
  type RederiveReport,
  rederive,
  withGeneration,
} from './rederive.ts';
import { versionReader } from './version-reader.ts';

/**
 * Whether modules derive: `forced` in a store that does not begin with the chain's first block, `undecided` before its
 * first block is there. Those of the base layer do in any case.
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
   * Makes rows of modules anew (rederive.ts), all that derive here where none is named, and goes on from them. Between
   * two ranges. Errors: config_invalid where the module is off, there is no such module, or another one reads it; those
   * of rederive.
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

export function createDeriveStage(store: Store, options: DeriveOptions): DeriveStage {
  const { derivations, parameters: configured } = options;
  let deriver: Deriver | undefined;
  /** Those that derive here; all, unless modules are off. */
  let active: readonly Derivation[] = derivations;
  let parameters: DeriveParameters | undefined;
  let facts: ParameterFacts = new Map();
  let generations: ReadonlyMap<string, number> = new Map();
  let state: ModulesState = 'undecided';

  const settled = (): RederivedWith => {
    if (parameters === undefined) throw new StrataError('internal', 'nothing is derived yet');
    return { derivations: active, parameters };
  };

  const turnOn = (by: ReadonlyMap<string, number>): Deriver => {
    generations = by;
    deriver = createDeriver({ ...settled(), generations });
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
    const made = await rederive(store, checkpoint, { ...tools, derive: settled(), modules });
    await restoreFrom(made.checkpoint);
    return { checkpoint: made.checkpoint, rederived: made.report };
  };

  const baseModules = new Set(
    derivations.filter(({ layer }) => layer === 'base').map(({ module }) => module),
  );
  const decide = (isOn: boolean, isWhole: boolean): void => {
    state = !isOn ? 'off' : isWhole ? 'on' : 'forced';
    active = isOn ? derivations : derivations.filter(({ layer }) => layer === 'base');
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
      const stored = await readFacts(store);
      facts = settledFacts(configured, stored);
      checkOwnParameters(derivations, configured, deriveParameters(configured.namespace, facts, ''));
      if (checkpoint === undefined) {
        if (derivations.length > 0)
          await writeFacts(store, differences(madeWith(derivations, facts), stored));
        return { checkpoint };
      }
      parameters = deriveParameters(configured.namespace, facts, stored.get('hrp') ?? '');
      const isWhole = await beginsWithFirstBlock(store, checkpoint.firstHeight);
      const isOn = isWhole || options.isForced === true || areModulesOn(checkpoint.generations, baseModules);
      decide(isOn && derivations.length > 0, isWhole);
      const missing = active.filter((each) => !isNamed(each, checkpoint));
      const hasLeft = [...checkpoint.generations.keys()].some((name) =>
        active.every(({ module }) => module !== name),
      );
      // one that lacks a table alone has told of its events before
      const isOther = hasLeft || missing.some(({ module }) => !checkpoint.generations.has(module));
      const others = differences(madeWith(active, facts), stored);
      const toMake = active.filter(
        (each) =>
          missing.includes(each) || (isOther && each.seesAll === true) || others.has(madeWithKey(each)),
      );
      if (toMake.length > 0) {
        // killed behind the switch, it is not known what rows were made with: they are made once more
        const beingMade = [...others.keys()].map((key) => [key, BEING_MADE] as const);
        await writeFacts(store, new Map([...differences(facts, stored), ...beingMade]));
        const made = await make(
          checkpoint,
          toMake.map(({ module }) => module),
          tools,
        );
        await writeFacts(store, others);
        return made;
      }
      let opened = checkpoint;
      if (hasLeft) {
        opened = await withGeneration(store, checkpoint, { derive: settled(), modules: [], generation: 0 });
        await replaceCheckpoint(store, opened);
      }
      if (active.length > 0) await restoreFrom(opened);
      return { checkpoint: opened };
    },
    async rederive(checkpoint, module, tools) {
      const isKnown = derivations.some((each) => each.module === module);
      const isActive = active.some((each) => each.module === module);
      if (deriver === undefined || (isKnown && !isActive)) throw modulesOff();
      const modules = module === undefined ? active.map((each) => each.module) : [module];
      if (module !== undefined) checkAlone(active, module);
      return make(checkpoint, modules, tools);
    },
    derive(range) {
      if (state === 'undecided') {
        // the chain's first block has no parent: only from there on is its state known from events
        const isWhole = range.headers[0]?.parentHash === '';
        decide(derivations.length > 0 && (isWhole || options.isForced === true), isWhole);
        parameters = deriveParameters(configured.namespace, facts, range.hrp);
        if (active.length > 0) turnOn(new Map(active.map(({ module }) => [module, FIRST_GENERATION])));
      }
      if (deriver === undefined) return [];
      return deriver.derive(readNativeFacts(range.headers, range.tables, deriver.filter));
    },
  };
}

/** Before anything is written. Errors: config_invalid for parameters that a module refuses, or that no module has. */
function checkOwnParameters(
  derivations: readonly Derivation[],
  { modules = {} }: ConfiguredDerivation,
  parameters: DeriveParameters,
): void {
  for (const name of Object.keys(modules)) {
    if (derivations.some((each) => each.module === name && each.parameters !== undefined)) continue;
    throw new StrataError('config_invalid', `chain.modules.${name}: no module of that name has parameters`);
  }
  for (const each of derivations) ownParameters(each, parameters);
}

/** The fact that tells what a module's rows were made with. */
function madeWithKey({ module }: Derivation): string {
  return `made_with:${module}`;
}

/** What no rows are made with. */
const BEING_MADE = '';

/** By madeWithKey, what rows depend on: parameters and versions. Modules of the first version without parameters have none. */
function madeWith(derivations: readonly Derivation[], facts: ParameterFacts): ReadonlyMap<string, string> {
  return new Map(
    derivations.flatMap((each) => {
      const keys = dependenciesOf(each, derivations);
      const versions = versionsOf(each, derivations);
      if (keys.length === 0 && versions.length === 0) return [];
      const values = keys.map((key) => [key, facts.get(key) ?? null]);
      return [[madeWithKey(each), JSON.stringify([...values, ...versions])] as const];
    }),
  );
}

function differences(
  facts: ReadonlyMap<string, string>,
  stored: ReadonlyMap<string, string>,
): Map<string, string> {
  return new Map([...facts].filter(([key, value]) => stored.get(key) !== value));
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
