import { StrataError } from 'strata-kit/errors';
import type { ParameterKey } from '../core/parameter-facts.ts';
import type { Derivation, DeriveParameters } from './derivation.ts';

type Dependent = Pick<Derivation, 'module' | 'reads' | 'dependsOn'>;

/**
 * The parameters that a module's rows depend on: its own, and those of the modules that it reads, and so on. The faucet is
 * one of the service accounts.
 */
export function dependenciesOf(derivation: Dependent, all: readonly Dependent[]): readonly ParameterKey[] {
  const keys = new Set<ParameterKey>();
  const seen = new Set<string>();
  const add = (each: Dependent): void => {
    if (seen.has(each.module)) return;
    seen.add(each.module);
    for (const key of each.dependsOn ?? []) {
      keys.add(key);
      if (key === 'service_accounts') keys.add('faucet');
    }
    for (const other of all) if (each.reads.includes(other.module)) add(other);
  };
  add(derivation);
  return [...keys].sort();
}

/** The parameters as a module sees them. Errors, where it looks at one that it does not depend on: internal. */
export function seenParameters(
  parameters: DeriveParameters,
  derivation: Dependent,
  all: readonly Dependent[],
): DeriveParameters {
  const keys = new Set(dependenciesOf(derivation, all));
  const checked = <T>(key: ParameterKey, value: T): T => {
    if (keys.has(key)) return value;
    throw new StrataError(
      'internal',
      `module ${derivation.module} looks at the parameter ${key} and does not name it in dependsOn`,
    );
  };
  const { namespace, hrp, stableDenom, evm, serviceAccounts, faucet } = parameters;
  return {
    namespace,
    hrp,
    get stableDenom() {
      return checked('stable_denom', stableDenom);
    },
    evm: {
      get factory() {
        return checked('evm_factory', evm.factory);
      },
      get lendingMarket() {
        return checked('evm_lending_market', evm.lendingMarket);
      },
    },
    get serviceAccounts() {
      return checked('service_accounts', serviceAccounts);
    },
    get faucet() {
      return checked('faucet', faucet);
    },
  };
}
