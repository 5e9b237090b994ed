import { fork } from 'node:child_process';
import { StrataError } from '../core/errors.ts';
import type { ChainSection } from '../devnet/chain-section.ts';
import { endOf } from './child-process.ts';

interface Told {
  readonly rpcUrl: string;
  readonly evmUrl: string;
  /** What its indexer is to be configured with. */
  readonly section: ChainSection;
}

/** A devnet in a process of its own, beside one that indexes it: neither waits for the other's work. */
export interface DevnetProcess extends Told {
  /** Fails with process_ended when it ends by itself; ends with `close`. */
  readonly ended: Promise<void>;
  close(): Promise<void>;
}

/** `strata devnet` with these arguments, at free ports. Errors: process_ended when it does not come up; its own lines say why. */
export async function startDevnetProcess(args: readonly string[]): Promise<DevnetProcess> {
  const ending = new AbortController();
  const listening = ['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'];
  const child = fork(process.argv[1] ?? '', ['devnet', ...listening, ...args], {
    // a terminal's Ctrl-C is this process's to pass on
    detached: true,
  });
  const ended = endOf(child, ending.signal).then((how) => {
    if (!ending.signal.aborted) throw new StrataError('process_ended', `the devnet ended (${how})`);
  });
  const told = new Promise<Told>((resolve) => {
    child.once('message', (message) => resolve(message as Told));
  });
  const ready = await Promise.race([told, ended.then(() => told)]);
  return {
    ...ready,
    ended,
    async close() {
      ending.abort();
      await ended;
    },
  };
}
