import type { Coin } from 'strata-kit/coin';
import { requireAddress } from '../../app/address.ts';
import type { QueryHandler } from '../../app/module.ts';
import { coinToJson } from './coins.ts';
import { balance, balances, supplies, supplyOf } from './keeper.ts';

/** Bank queries; lists are short (a denom an entry) and come whole. */

export const balanceQuery: QueryHandler = (reader, { address, denom }, { parameters }) => {
  requireAddress(parameters, String(address), 'address');
  return {
    balance: coinToJson({ denom: String(denom), amount: balance(reader, String(address), String(denom)) }),
  };
};

export const allBalancesQuery: QueryHandler = (reader, { address }, { parameters }) => {
  requireAddress(parameters, String(address), 'address');
  const held = balances(reader, String(address));
  return { balances: held.map(coinToJson), pagination: pageOf(held) };
};

export const totalSupplyQuery: QueryHandler = (reader) => {
  const supply = supplies(reader);
  return { supply: supply.map(coinToJson), pagination: pageOf(supply) };
};

export const supplyOfQuery: QueryHandler = (reader, { denom }) => ({
  amount: coinToJson({ denom: String(denom), amount: supplyOf(reader, String(denom)) }),
});

function pageOf(coins: readonly Coin[]) {
  return { total: String(coins.length) };
}
