import { chainAccess } from '../wallet/access.ts';
import { type Fields, fieldsOf } from '../wallet/json.ts';
import { loadTypes } from '../wallet/load-types.ts';
import { queryChain } from '../wallet/prepare.ts';
import type { ChainFacts } from './chain.ts';
import { type Asked, useAsk } from './queries.ts';

export interface Balance {
  readonly denom: string;
  readonly amount: string;
}

const ASK_MS = 5_000;

/** An account's coins at the newest block, of the chain itself; gas and stable first, also where there is none of them. */
export function useBalances(
  chain: ChainFacts | undefined,
  address: string | undefined,
): Asked<readonly Balance[]> {
  return useAsk(
    ['balances', address],
    async () => {
      if (chain === undefined || address === undefined) return [];
      const types = await loadTypes(chain.namespace);
      const path = '/cosmos.bank.v1beta1.Query/AllBalances';
      const { balances } = await queryChain(types, chainAccess, path, { address });
      return inOrder(chain, Array.isArray(balances) ? balances.map(fieldsOf) : []);
    },
    { everyMs: ASK_MS, enabled: chain !== undefined && address !== undefined },
  );
}

function inOrder(chain: ChainFacts, told: readonly Fields[]): readonly Balance[] {
  const held = new Map(told.map(({ denom, amount }) => [String(denom), String(amount)]));
  const first = [chain.gas_denom, chain.stable_denom];
  const rest = [...held.keys()].filter((denom) => !first.includes(denom)).sort();
  return [...first, ...rest].map((denom) => ({ denom, amount: held.get(denom) ?? '0' }));
}
