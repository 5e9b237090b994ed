import type { Module } from '../../app/module.ts';
import { balance, moduleAddress } from '../bank/keeper.ts';
import { FRACTIONS, RESERVE, unitsOf } from './keeper.ts';

/** Has no messages: the EVM moves fractions of the gas token, and nobody else. */
export const precisebankModule: Module = {
  name: 'precisebank',
  messages: {},
  queries: {},
  invariants(reader, parameters) {
    const units = unitsOf(parameters);
    if (units === 1n) return [];
    const problems: string[] = [];
    let sum = 0n;
    for (const [address, fraction] of reader.entries(FRACTIONS)) {
      sum += fraction;
      if (fraction < 0n || fraction >= units) problems.push(`${address} has a fraction of ${fraction}`);
    }
    const reserve = balance(reader, moduleAddress(parameters, RESERVE), parameters.gasDenom) * units;
    // an execution that burns less than a unit leaves the rest with the reserve
    if (sum > reserve) problems.push(`fractions of ${sum} are backed by ${reserve}`);
    return problems;
  },
};
