import { z } from 'zod';
import { folder, listOf, wholeNumber } from '../cli/kinds.ts';
import { type Kind, setting } from '../cli/setting.ts';
import { type ChainParameters, parseParameters } from '../parameters.ts';

/** The chain itself, and what reference chains and replays have in common. */

const chainSection: Kind<ChainParameters> = {
  allowed: 'keys and values',
  argument: '<keys>',
  read: (raw) => {
    const read = parseParameters(raw);
    return 'problem' in read ? read : { value: read.parameters };
  },
};

/** The section of the file with what a chain does not tell of itself. */
export const chain = setting('chain', chainSection, {
  group: 'Chain',
  text: 'what a chain does not report: namespace, prefix, denoms, contracts, accounts',
  places: ['file'],
  preset: emptySection(),
});

function emptySection(): ChainParameters {
  const read = parseParameters({});
  if ('problem' in read) throw new Error(read.problem);
  return read.parameters;
}

export const data = setting('data', folder, {
  group: 'Store',
  text: 'embedded ClickHouse',
  default: './data',
});

export const seed = setting('seed', wholeNumber(0, 4_294_967_295), {
  group: 'Source',
  text: 'the same number brings the same faults back',
  default: '1',
});

export const fault = setting(
  'fault',
  listOf(
    'names of faults, each alone, with a probability from 0 to 1, such as drop:0.1, or (devnet) with a height, such as halt@100, separated by commas',
    '<name,…>',
    z.string().regex(/^[a-z][a-z\d-]*(:(0|1|0?\.\d+|1\.0+)|(:\w+\.\w+\.\w+)?(@\d+(-\d+)?)?)?$/),
  ),
  { group: 'Source', text: 'answer wrongly', preset: [] },
);

export const history = setting('history', wholeNumber(0, 365, 'days', '<days>'), {
  group: 'Chain',
  text: 'let a new chain begin so long ago, a block every 30 minutes until now',
  default: '0',
});
