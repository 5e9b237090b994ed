import type { RowReader } from '../core/rowbinary.ts';
import type { ColumnOf, DerivedTable, RowOf } from '../core/table.ts';

/** Proto-JSON: declared names, defaults written out, 64-bit integers as texts. */
export type QueryJson = Readonly<Record<string, unknown>>;

/** The derived state as of one height, read from the versions of the generation that is served. */
export interface StateAt {
  readonly height: number;
  /**
   * Errors: store_busy where the store does not serve this state any more, since it was derived again or rewound: what
   * was read may lack rows.
   */
  assertServed(): Promise<void>;
  /** The newest version of each record that matches; see latestVersions for `where`. */
  latest<T, Of extends DerivedTable, Name extends ColumnOf<Of>>(
    table: Of,
    columns: readonly Name[],
    read: (row: RowOf<Of, Name>) => T,
    where?: string,
  ): Promise<readonly T[]>;
  /** Rows of a table without a key. */
  rows<T, Of extends DerivedTable, Name extends ColumnOf<Of>>(
    table: Of,
    columns: readonly Name[],
    where: string,
    read: (row: RowOf<Of, Name>) => T,
  ): Promise<readonly T[]>;
  /** Rows of a SELECT over latestVersions, for sums: `from` is put in parentheses. */
  select<T>(
    columns: string,
    from: { readonly table: DerivedTable; readonly columns: string; readonly where?: string },
    rest: string,
    read: (row: RowReader) => T,
  ): Promise<readonly T[]>;
}

/** A record's fields as texts, both sides' in one form. */
export type RecordFields = Readonly<Record<string, string>>;

/** Records by a key that names them. */
export type Records = ReadonlyMap<string, RecordFields>;

/** What some values depend on besides the records. */
export interface ExportMoment {
  /** Block time of the height. */
  readonly timeNs: bigint;
}

/** How a module's Export and its versions become records that can be held against each other. */
export interface ModuleExport {
  /** Of what the chain's Export answers, as proto-JSON. */
  chain(exported: QueryJson, at: ExportMoment): Records;
  /** The same of the store. */
  store(state: StateAt, at: ExportMoment): Promise<Records>;
}
