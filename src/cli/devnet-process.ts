import type { ChainSection } from 'strata-devnet/chain-section';
import { type Child, startChild } from './child-process.ts';

export interface ToldByDevnet {
  readonly rpcUrl: string;
  readonly evmUrl: string;
  /** What its indexer is to be configured with. */
  readonly section: ChainSection;
}

/**
 * `strata devnet` with these arguments at free ports, in a process of its own beside one that indexes it: neither waits
 * for the other's work. Errors: process_ended when it does not come up; its own lines say why.
 */
export function startDevnetProcess(args: readonly string[]): Promise<Child<ToldByDevnet>> {
  const listening = ['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'];
  return startChild('the devnet', ['devnet', ...listening, ...args]);
}
