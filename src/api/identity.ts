import { readParameters } from '../core/parameter-facts.ts';
import type { ChainIdentity } from './route.ts';

/**
 * Of a store's facts; a store of an older Strata does not keep all of them. `newest`: facts that may be other ones later,
 * as when the process that indexes is configured anew.
 */
export function readIdentity(
  facts: ReadonlyMap<string, string>,
  chainId: string,
  hrp: string,
  namespace: string,
  newest: () => ReadonlyMap<string, string> = () => facts,
): ChainIdentity {
  let read = newest();
  let moduleAccounts = moduleAccountsOf(read);
  let market = readParameters(read, hrp);
  const follow = (): void => {
    const next = newest();
    if (next === read) return;
    read = next;
    moduleAccounts = moduleAccountsOf(read);
    market = readParameters(read, hrp);
  };
  return {
    chainId,
    hrp,
    namespace,
    get moduleAccounts() {
      follow();
      return moduleAccounts;
    },
    get market() {
      follow();
      return market;
    },
  };
}

function moduleAccountsOf(facts: ReadonlyMap<string, string>): readonly string[] {
  return JSON.parse(facts.get('module_accounts') ?? '[]') as string[];
}
