import { canonicalAccount, parseHexAddress } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { type ChainParameters, REFERENCE_STABLE_DENOM } from 'strata-kit/parameters';

/**
 * The parameters of a chain that a store keeps beside its blocks, as facts: processes that serve or derive again need no
 * configuration. What is configured wins over what is kept.
 */

/** By key, as the store keeps them; absent where nothing is known. */
export type ParameterFacts = ReadonlyMap<string, string>;

export const PARAMETER_KEYS = [
  'stable_denom',
  'evm_factory',
  'evm_stable',
  'evm_wrapped_native',
  'evm_lending_market',
  'service_accounts',
  'faucet',
] as const;
export type ParameterKey = (typeof PARAMETER_KEYS)[number];

/** The fact that keeps the parameters that one module alone has, as JSON. */
export type ModuleKey = `parameters:${string}`;

export function moduleKey(module: string): ModuleKey {
  return `parameters:${module}`;
}

export type ConfiguredParameters = Pick<
  ChainParameters,
  'stableDenom' | 'evm' | 'serviceAccounts' | 'faucet' | 'modules'
>;

export const NOTHING_CONFIGURED: ConfiguredParameters = {
  stableDenom: undefined,
  evm: { factory: undefined, stable: undefined, wrappedNative: undefined, lendingMarket: undefined },
  serviceAccounts: [],
  faucet: undefined,
};

/**
 * What the store is to keep from now on: the configured, else what it keeps. Accounts stay as they were written; the
 * faucet, which is a service account, is kept by itself.
 */
export function mergeParameters(configured: ConfiguredParameters, stored: ParameterFacts): ParameterFacts {
  const { evm, faucet } = configured;
  const serviceAccounts = configured.serviceAccounts.filter((account) => account !== faucet);
  const given: Readonly<Record<ParameterKey, string | undefined>> = {
    stable_denom: configured.stableDenom,
    evm_factory: evm.factory,
    evm_stable: evm.stable,
    evm_wrapped_native: evm.wrappedNative,
    evm_lending_market: evm.lendingMarket,
    service_accounts: serviceAccounts.length === 0 ? undefined : JSON.stringify(serviceAccounts),
    faucet,
  };
  const known = PARAMETER_KEYS.flatMap((key) => {
    const value = given[key] ?? stored.get(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  const kept = [...stored].filter(([key]) => key.startsWith(moduleKey('')));
  const ofModules = Object.entries(configured.modules ?? {}).map(
    ([module, values]) => [moduleKey(module), JSON.stringify(values)] as const,
  );
  return new Map([...known, ...kept, ...ofModules]);
}

export interface MarketParameters {
  readonly stableDenom: string;
  /** EIP-55. */
  readonly evm: ChainParameters['evm'];
  /** Canonical bech32, the faucet included. */
  readonly serviceAccounts: readonly string[];
  readonly faucet: string | undefined;
}

/** `hrp`: the prefix of the accounts' canonical form; one of another prefix is left out. */
export function readParameters(facts: ParameterFacts, hrp: string): MarketParameters {
  const faucet = canonicalAccount(facts.get('faucet') ?? '', hrp);
  const listed = (JSON.parse(facts.get('service_accounts') ?? '[]') as string[]).flatMap(
    (text) => canonicalAccount(text, hrp) ?? [],
  );
  return {
    stableDenom: facts.get('stable_denom') ?? REFERENCE_STABLE_DENOM,
    evm: {
      factory: facts.get('evm_factory'),
      stable: facts.get('evm_stable'),
      wrappedNative: facts.get('evm_wrapped_native'),
      lendingMarket: facts.get('evm_lending_market'),
    },
    serviceAccounts: [...new Set([...listed, ...(faucet === undefined ? [] : [faucet])])].sort(),
    faucet,
  };
}

/** 40 lower-case hex digits of an EIP-55 address. */
export function plainHex(address: string | undefined): string | undefined {
  const bytes = parseHexAddress(address ?? '');
  return bytes === undefined ? undefined : bytesToHex(bytes);
}
