import type { Reader } from '../state/state.ts';
import { balances } from './bank/keeper.ts';

/** Where an account does not hold exactly these coins, by denom. */
export function accountProblems(
  reader: Reader,
  address: string,
  expected: ReadonlyMap<string, bigint>,
): string[] {
  const held = new Map(balances(reader, address).map(({ denom, amount }) => [denom, amount]));
  const denoms = new Set([...held.keys(), ...expected.keys()]);
  return [...denoms].flatMap((denom) => {
    const [has, wanted] = [held.get(denom) ?? 0n, expected.get(denom) ?? 0n];
    return has === wanted ? [] : [`${address} holds ${has}${denom}, not ${wanted}${denom}`];
  });
}
