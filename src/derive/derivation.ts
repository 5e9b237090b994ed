import type { z } from 'zod';
import type { TableBuilder } from '../core/native.ts';
import type { ParameterKey } from '../core/parameter-facts.ts';
import type { ColumnOf, DerivedTable, RowOf } from '../core/table.ts';
import type { BlockFacts, FailedTxFact, LogWish } from './facts.ts';
import type { Fields, Unreadable } from './fields.ts';

/**
 * The port between the deriver and the modules. A module's derivation is a fold over the chain's typed events: it holds
 * its records in memory, changes them event by event, and appends a version of what a block has changed at the block's
 * end. It never sees the clock, the store or the network while it derives.
 */
export interface Derivation<State = unknown, Own = unknown> {
  /** As its folder and its package are named: `rights`. */
  readonly module: string;
  /** `base`: it derives in every store, also in one that does not begin with the chain's first block. */
  readonly layer?: 'base';
  /**
   * Of one that a view fills from the others, each row follows from one row of theirs and carries its height, whatever else
   * its insert holds: so repair, rewind and digests treat it as any row, and it is the same after a re-derivation.
   */
  readonly tables: readonly DerivedTable[];
  /** Modules whose state this one looks at; they stand before it in the list of modules. */
  readonly reads: readonly string[];
  /** The codespaces of failed txs that it wants to see. */
  readonly codespaces?: readonly string[];
  /** Its rows depend on which modules there are (seeEvent): they are made anew when one joins or leaves a store. */
  readonly seesAll?: boolean;
  /** Tables that the store fills from the others, range of heights by range; they are among `tables`. */
  readonly rollUps?: readonly RollUp[];
  /**
   * The parameters that it looks at, beside namespace and prefix: its rows, and those of whoever reads it, are made anew
   * in a store in which they were others.
   */
  readonly dependsOn?: readonly ParameterKey[];
  /**
   * Reads the parameters that this module alone has, `chain.modules.<module>` of the configuration, `{}` where it is not
   * there. Its rows, and those of modules that read it, are made anew in a store in which they were others.
   */
  readonly parameters?: z.ZodType<Own>;
  /**
   * 1 unless given. Raise it with every change after which the same events give other rows: stores that were derived by
   * another version derive the module, and the modules that read it, anew at their next start.
   */
  readonly version?: number;
  open(setup: DerivationSetup<Own>): OpenDerivation<State>;
}

/**
 * A table of sums over ranges of heights. A commit that completes ranges adds their rows behind its own, before its
 * checkpoint; each carries its range's last height, so that repair and readers treat it as any row of that commit.
 */
export interface RollUp {
  readonly table: DerivedTable;
  /** What completes the ranges that end above one height and not above another, in the order in which it runs. */
  statements(generation: number, fromHeight: number, toHeight: number): readonly RollUpStatement[];
}

export interface RollUpStatement {
  /** An INSERT … SELECT into the table. */
  readonly insert: string;
  /** A condition on the table's rows that is true of those that it adds, and of no others. */
  readonly added: string;
}

export interface OpenDerivation<State = unknown> {
  /** What modules that read this one see. */
  readonly state: State;
  readonly handlers: readonly Handler[];
  /** Sees every event of every module behind its handlers, whether its record is known or not. */
  seeEvent?(event: unknown, spec: EventSpec<unknown>, context: EventContext): void;
  seeFailedTx?(tx: FailedTxFact, block: BlockAt): void;
  /** What it wants to see of blocks beside events; fixed by the parameters. Others' wishes come with its own. */
  readonly wishes?: Wishes;
  /** Sees each block that has txs or events, behind all of its events and in the order of the modules. */
  seeBlock?(block: BlockFacts): void;
  /** Appends the versions of what this block has changed. Called for every block in which anything happened. */
  endBlock(block: BlockAt): void;
  /** Reads the state as of the checkpoint back from the versions. */
  restore(versions: VersionReader): Promise<void>;
}

export interface Wishes {
  readonly logs?: readonly LogWish[];
  /** Bech32. */
  readonly transferSenders?: readonly string[];
  readonly evmTxs?: boolean;
  readonly accounts?: boolean;
}

export interface DerivationSetup<Own = unknown> {
  readonly parameters: DeriveParameters;
  /** What the schema of `Derivation.parameters` has read; undefined without one. */
  readonly own: Own;
  /** The builder of one of the module's own tables. */
  table<Spec extends DerivedTable>(spec: Spec): TableBuilder<Spec>;
  /** Adds a drift row, in endBlock. */
  drift(note: DriftNote): void;
  /** The state of a module that this one reads. */
  stateOf<State>(derivation: Derivation<State>): State;
}

/** What derivation needs to know of the chain. */
export interface DeriveParameters {
  /** First segment of the modules' event types, and of what addresses and ids are derived from. */
  readonly namespace: string;
  /** Bech32 prefix of accounts. */
  readonly hrp: string;
  readonly stableDenom: string;
  /** 40 lower-case hex digits each. */
  readonly evm: {
    readonly factory: string | undefined;
    readonly lendingMarket: string | undefined;
  };
  /** Bech32, the faucet included. */
  readonly serviceAccounts: readonly string[];
  /** Bech32. */
  readonly faucet: string | undefined;
  /** By module, the JSON of the parameters that it alone has; modules see `DerivationSetup.own`. */
  readonly modules?: ReadonlyMap<string, string>;
}

/** As of a chain that nobody configured. */
export function plainParameters(namespace: string, hrp: string, stableDenom: string): DeriveParameters {
  return {
    namespace,
    hrp,
    stableDenom,
    evm: { factory: undefined, lendingMarket: undefined },
    serviceAccounts: [],
    faucet: undefined,
  };
}

export interface BlockAt {
  readonly height: number;
  readonly timeNs: bigint;
}

export interface EventContext extends BlockAt {
  /** Full proto name, with the namespace. */
  readonly type: string;
  /** −1 for a block-level event. */
  readonly txIndex: number;
  readonly eventIndex: number;
  /**
   * Counts the block's events in the order of derivation, from 0: a handler's those that its module has handlers of,
   * so that no other module changes its rows, seeEvent's all.
   */
  readonly ordinal: number;
  /** Undefined for a block-level event. */
  readonly txHash: Uint8Array | undefined;
  /**
   * Compares a value that an event tells with the derived one (modules.md rule 13). A difference is one drift row, and
   * so is a value that cannot be read. The derived value counts.
   */
  compare(
    field: string,
    derived: bigint | number | string,
    told: bigint | number | string | Unreadable,
  ): void;
  /** One drift row (field `record`): the module does not know its part of what the event is about. */
  noteUnknown(): void;
}

/** A difference that no event at hand shows: an event that should have come and did not. */
export interface DriftNote {
  readonly height: number;
  /** Of the event from which it follows. */
  readonly txIndex: number;
  readonly eventIndex: number;
  /** Without the namespace, as in EventSpec. */
  readonly type: string;
  readonly field: string;
  readonly derived: string;
  readonly told: string;
}

/** The accounts (bech32) and assets (hex ids) that an event's feeds belong to, in any order, doubles allowed. */
export interface Subjects {
  readonly accounts: readonly string[];
  readonly assets: readonly string[];
}

/** One type of event: how its fields are read, and whom it is about, from the event alone. */
export interface EventSpec<Event> {
  /** Without the namespace, `rights.v1.EventIssued`; or, of another package, whole and behind a dot, `.cosmos.group.v1.EventVote`. */
  readonly type: string;
  /** Errors: FieldError. */
  readonly read: (fields: Fields) => Event;
  readonly subjects: (event: Event) => Subjects;
}

/** What a module does at an event; several modules may have handlers of one type, which run in the modules' order. */
export interface Handler {
  readonly spec: EventSpec<unknown>;
  readonly apply: (event: never, context: EventContext) => void;
  /**
   * Whether the record that the event is about is known. Asked before anything is applied: where it is not, the event is
   * one drift row (field `record`) and no handler sees it. Only the module to which the record belongs has one.
   */
  readonly knows?: (event: never, context: EventContext) => boolean;
}

export function on<Event>(
  spec: EventSpec<Event>,
  apply: (event: Event, context: EventContext) => void,
  knows?: (event: Event, context: EventContext) => boolean,
): Handler {
  return { spec: spec as EventSpec<unknown>, apply, ...(knows === undefined ? {} : { knows }) };
}

/** Reads versions back: `read` gets the listed columns of one row. */
export interface VersionReader {
  /**
   * The newest version of each record of a table at the checkpoint, ordered by key. `only`: records whose newest version
   * has one of these values in a column; the store finds those of a key's first column without reading the others.
   */
  latest<T extends DerivedTable, Name extends ColumnOf<T>>(
    table: T,
    columns: readonly Name[],
    read: (row: RowOf<T, Name>) => void,
    only?: readonly [column: ColumnOf<T>, values: readonly string[]],
  ): Promise<void>;
  /** The row of a table without a key that has the greatest height; none where it has no rows. */
  newest<T extends DerivedTable, Name extends ColumnOf<T>>(
    table: T,
    columns: readonly Name[],
    read: (row: RowOf<T, Name>) => void,
  ): Promise<void>;
  /**
   * Of rows of a table without a key, the last one for each of these texts of a column, in any order: the greatest by the
   * columns of `order`. The table is sorted by that column and those, so that each is one look-up, whatever stands before
   * it.
   */
  lastOfEach<T extends DerivedTable, Name extends ColumnOf<T>>(
    table: T,
    by: ColumnOf<T>,
    texts: readonly string[],
    order: readonly ColumnOf<T>[],
    columns: readonly Name[],
    read: (row: RowOf<T, Name>) => void,
  ): Promise<void>;
  /** Rows of a table without a key. */
  rows<T extends DerivedTable, Name extends ColumnOf<T>>(
    table: T,
    columns: readonly Name[],
    read: (row: RowOf<T, Name>) => void,
  ): Promise<void>;
}
