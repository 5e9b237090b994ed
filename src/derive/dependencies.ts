import { StrataError } from 'strata-kit/errors';
import { describeIssue } from 'strata-kit/parameters';
import { type ModuleKey, moduleKey, type ParameterKey } from '../core/parameter-facts.ts';
import type { Derivation, DeriveParameters } from './derivation.ts';

type Dependent = Pick<Derivation, 'module' | 'reads' | 'dependsOn' | 'version' | 'parameters'>;

/**
 * The parameters that a module's rows depend on: its own, and those of the modules that it reads, and so on. The faucet is
 * one of the service accounts.
 */
export function dependenciesOf(
  derivation: Dependent,
  all: readonly Dependent[],
): readonly (ParameterKey | ModuleKey)[] {
  const keys = new Set<ParameterKey | ModuleKey>();
  for (const { module, dependsOn = [], parameters } of withRead(derivation, all)) {
    if (parameters !== undefined) keys.add(moduleKey(module));
    for (const key of dependsOn) {
      keys.add(key);
      if (key === 'service_accounts') keys.add('faucet');
    }
  }
  return [...keys].sort();
}

/** Of a module and of those that it reads, and so on: the versions other than the first, by name. */
export function versionsOf(
  derivation: Dependent,
  all: readonly Dependent[],
): readonly (readonly [module: string, version: number])[] {
  return withRead(derivation, all)
    .map(({ module, version = 1 }) => [module, version] as const)
    .filter(([, version]) => version !== 1)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function withRead(derivation: Dependent, all: readonly Dependent[]): readonly Dependent[] {
  const found = new Map<string, Dependent>();
  const add = (each: Dependent): void => {
    if (found.has(each.module)) return;
    found.set(each.module, each);
    for (const other of all) if (each.reads.includes(other.module)) add(other);
  };
  add(derivation);
  return [...found.values()];
}

/** Reads the parameters that a module alone has. Errors: config_invalid, with their place in the configuration. */
export function ownParameters(
  { module, parameters: schema }: Pick<Derivation, 'module' | 'parameters'>,
  { modules }: Pick<DeriveParameters, 'modules'>,
): unknown {
  if (schema === undefined) return undefined;
  const read = schema.safeParse(JSON.parse(modules?.get(module) ?? '{}'));
  if (read.success) return read.data;
  const { path, problem } = describeIssue(read.error.issues[0], ['chain', 'modules', module]);
  throw new StrataError('config_invalid', `${path} ${problem}`);
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
