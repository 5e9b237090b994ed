import { file, folder, listenAddress, oneOf, wholeNumber } from 'strata-kit/cli/kinds';
import { setting, vary } from 'strata-kit/cli/setting';
import { fault, history, seed } from 'strata-kit/settings/chain';
import { allowedHosts } from 'strata-kit/settings/listening';
import { FAULT_NAMES } from '../faults/names.ts';

/** Of the reference chain. */

const group = 'Chain';

export const DEFAULT_HOME = './data/devnet';

export const home = setting('home', folder, {
  group,
  text: 'what the chain keeps; one that is there goes on',
  default: DEFAULT_HOME,
});

export const clock = setting('clock', oneOf(['wall', 'simulated']), {
  group,
  text: "block times: the machine's, or simulated, the same in every run",
  default: 'wall',
});

export const clockScript = setting('clockScript', file, {
  group,
  text: 'YAML or JSON: steps and jumps of a simulated clock (docs/devnet.md)',
});

export const blockTime = setting('blockTime', wholeNumber(0, 3_600_000, 'milliseconds', '<ms>'), {
  group,
  text: 'between two blocks; 0: as fast as it can',
  default: '1000',
});

export const gasDecimals = setting('gasDecimals', oneOf(['18', '6']), {
  group,
  text: 'of the gas token in the bank of a new chain; the EVM has 18',
  default: '18',
});

export const keep = setting('keep', wholeNumber(1, 1_000_000_000, 'heights'), {
  group,
  text: 'newest heights to keep, with their states (default: all)',
});

export const workload = setting('workload', oneOf(['all', 'none']), {
  group,
  text: 'accounts that use every module by themselves',
  default: 'all',
});

export const rpcListen = setting('rpcListen', listenAddress('127.0.0.1:26657'), {
  group: 'Listening',
  text: "where CometBFT's JSON-RPC answers",
  default: '127.0.0.1:26657',
});

/** Where wallets look for an Ethereum node. */
export const evmListen = setting('evmListen', listenAddress('127.0.0.1:8545'), {
  group: 'Listening',
  text: "where Ethereum's JSON-RPC answers",
  default: '127.0.0.1:8545',
});

const workloadSeed = vary(seed, { text: 'of keys and of what the accounts do' });

export const DEVNET = [
  home,
  workloadSeed,
  clock,
  clockScript,
  blockTime,
  history,
  rpcListen,
  evmListen,
  allowedHosts,
  keep,
  gasDecimals,
  workload,
  vary(fault, { text: `answer its readers wrongly, name[@height],…: ${FAULT_NAMES.join(', ')}` }),
] as const;
