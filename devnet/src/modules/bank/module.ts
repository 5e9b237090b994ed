import type { Coin } from 'strata-kit/coin';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Module } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { ensureAccount } from '../auth/keeper.ts';
import { requireCoins } from './coins.ts';
import { BALANCES, SUPPLY, setBalance, supplies, supplyOf } from './keeper.ts';
import { sendCoins } from './messages.ts';
import { allBalancesQuery, balanceQuery, supplyOfQuery, totalSupplyQuery } from './queries.ts';

export const bankModule: Module = {
  name: 'bank',
  messages: { '/cosmos.bank.v1beta1.MsgSend': sendCoins },
  queries: {
    '/cosmos.bank.v1beta1.Query/Balance': balanceQuery,
    '/cosmos.bank.v1beta1.Query/AllBalances': allBalancesQuery,
    '/cosmos.bank.v1beta1.Query/TotalSupply': totalSupplyQuery,
    '/cosmos.bank.v1beta1.Query/SupplyOf': supplyOfQuery,
    '/cosmos.bank.v1beta1.Query/Params': () => ({ params: { default_send_enabled: true } }),
  },
  /** `balances` as the SDK's; the supply is their sum. */
  initGenesis(context, { balances }) {
    for (const { address, coins } of (balances ?? []) as readonly JsonObject[]) {
      ensureAccount(context, String(address));
      for (const { denom, amount } of requireCoins(coins)) {
        setBalance(context, String(address), denom, amount);
        context.state.set(SUPPLY, denom, supplyOf(context.state, denom) + amount);
      }
    }
  },
  invariants: (reader) => {
    const held = sumOfBalances(reader);
    const denoms = new Set([...held.keys(), ...supplies(reader).map(({ denom }) => denom)]);
    const wrong: Coin[] = [];
    for (const denom of denoms) {
      if ((held.get(denom) ?? 0n) !== supplyOf(reader, denom))
        wrong.push({ denom, amount: (held.get(denom) ?? 0n) - supplyOf(reader, denom) });
    }
    return wrong.map(({ denom, amount }) => `the balances of ${denom} are ${amount} more than its supply`);
  },
};

function sumOfBalances(reader: Reader): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of reader.entries(BALANCES)) {
    const denom = key.slice(key.indexOf('/') + 1);
    sums.set(denom, (sums.get(denom) ?? 0n) + amount);
  }
  return sums;
}
