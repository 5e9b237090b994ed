import type { QueryJson } from './chain-queries.ts';
import type { StateAt } from './state-at.ts';

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
  readonly module: string;
  /** Of what the chain's Export answers, as proto-JSON. */
  chain(exported: QueryJson, at: ExportMoment): Records;
  /** The same of the store. */
  store(state: StateAt, at: ExportMoment): Promise<Records>;
}
