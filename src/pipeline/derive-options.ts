import type { TableSpec } from '../core/tables.ts';
import type { Derivation, DeriveParameters } from '../derive/derivation.ts';
import { GENERATION_COLUMN, SHARED_TABLES } from '../derive/derived-tables.ts';

export interface DeriveOptions {
  /** In the order in which they see an event. */
  readonly derivations: readonly Derivation[];
  readonly parameters: DeriveParameters;
  /** Derives from whatever height the store begins at; otherwise from the chain's first block only. */
  readonly isForced?: boolean;
}

/** The tables of modules as they are stored: with their generation. */
export function derivedSpecs(derivations: readonly Derivation[]): readonly TableSpec[] {
  return [...derivations.flatMap(({ tables }) => tables), ...SHARED_TABLES].map(({ name, columns }) => ({
    name,
    columns: [[GENERATION_COLUMN, 'UInt32'], ...columns],
  }));
}
