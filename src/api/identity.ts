import { readParameters } from '../core/parameter-facts.ts';
import type { ChainIdentity } from './route.ts';

/** Of a store's facts; a store of an older Strata does not keep all of them. */
export function readIdentity(
  facts: ReadonlyMap<string, string>,
  chainId: string,
  hrp: string,
  namespace: string,
): ChainIdentity {
  const moduleAccounts = JSON.parse(facts.get('module_accounts') ?? '[]') as string[];
  return { chainId, hrp, namespace, moduleAccounts, market: readParameters(facts, hrp) };
}
