import {
  type ConfiguredParameters,
  mergeParameters,
  moduleKey,
  NOTHING_CONFIGURED,
  type ParameterFacts,
  plainHex,
  readParameters,
} from '../core/parameter-facts.ts';
import type { DerivedTable, TableSpec } from '../core/table.ts';
import { SHARED_TABLES } from '../core/tables.ts';
import type { Derivation, DeriveParameters } from '../derive/derivation.ts';
import { GENERATION_COLUMN } from '../derive/derived-tables.ts';

export interface DeriveOptions {
  /** Made at the start, derived or not; those of the derivations where it is left out. */
  readonly tables?: readonly DerivedTable[];
  /** In the order in which they see an event. */
  readonly derivations: readonly Derivation[];
  readonly parameters: ConfiguredDerivation;
  /** Derives from whatever height the store begins at; otherwise from the chain's first block only. */
  readonly isForced?: boolean;
}

/** What is configured of the chain; the rest comes from the store, as a store keeps it. */
export interface ConfiguredDerivation extends Partial<ConfiguredParameters> {
  readonly namespace: string;
}

/** The parameters that a store is derived with, as facts, with what it keeps. */
export function settledFacts(configured: ConfiguredDerivation, stored: ParameterFacts): ParameterFacts {
  return mergeParameters({ ...NOTHING_CONFIGURED, ...configured }, stored);
}

export function deriveParameters(namespace: string, facts: ParameterFacts, hrp: string): DeriveParameters {
  const { stableDenom, evm, serviceAccounts, faucet } = readParameters(facts, hrp);
  return {
    namespace,
    hrp,
    stableDenom,
    evm: { factory: plainHex(evm.factory), lendingMarket: plainHex(evm.lendingMarket) },
    serviceAccounts,
    faucet,
    modules: new Map(
      [...facts].flatMap(([key, json]) => {
        const prefix = moduleKey('');
        return key.startsWith(prefix) ? [[key.slice(prefix.length), json] as const] : [];
      }),
    ),
  };
}

export const NO_MODULES: DeriveOptions = { derivations: [], parameters: { namespace: '' } };

export function tablesOf(derivations: readonly Derivation[]): readonly DerivedTable[] {
  return derivations.flatMap(({ tables }) => tables);
}

/** The tables of modules as they are stored: with their generation. */
export function derivedSpecs(derivations: readonly Derivation[]): readonly TableSpec[] {
  return [...tablesOf(derivations), ...SHARED_TABLES].map(({ name, columns }) => ({
    name,
    columns: [[GENERATION_COLUMN, 'UInt32'], ...columns],
  }));
}
