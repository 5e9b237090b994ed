import {
  type ConfiguredParameters,
  mergeParameters,
  NOTHING_CONFIGURED,
  type ParameterFacts,
  plainHex,
  readParameters,
} from '../core/parameter-facts.ts';
import type { TableSpec } from '../core/tables.ts';
import type { Derivation, DeriveParameters } from '../derive/derivation.ts';
import { GENERATION_COLUMN, SHARED_TABLES } from '../derive/derived-tables.ts';

export interface DeriveOptions {
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
  };
}

/** The tables of modules as they are stored: with their generation. */
export function derivedSpecs(derivations: readonly Derivation[]): readonly TableSpec[] {
  return [...derivations.flatMap(({ tables }) => tables), ...SHARED_TABLES].map(({ name, columns }) => ({
    name,
    columns: [[GENERATION_COLUMN, 'UInt32'], ...columns],
  }));
}
