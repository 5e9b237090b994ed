import { join } from 'node:path';
import {
  killCommands,
  type RunningCommand,
  startCommand,
  startWith,
} from '../../../../test/support/command.ts';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';

/** Reference chain, indexer with its API, and app: the built command three times, as somebody would start them. */
export interface Stack {
  /** Of the app, without a slash at its end. */
  readonly url: string;
  /** Of the indexer's API. */
  readonly indexerUrl: string;
  /** CometBFT's JSON-RPC. */
  readonly rpcUrl: string;
  /** Ethereum's JSON-RPC. */
  readonly evmUrl: string;
  readonly indexer: RunningCommand;
  close(): Promise<void>;
}

export interface StackOptions {
  readonly blockTimeMs?: number;
  /** Days before now at which the chain begins; 1. */
  readonly historyDays?: number;
}

const UP_MS = 90_000;
/** Behind the chain, and called up to date. */
const NEAR_BLOCKS = 3;

/** Resolves when the app answers and what was there at the start has been indexed. */
export async function startStack({ blockTimeMs = 500, historyDays = 1 }: StackOptions = {}): Promise<Stack> {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  try {
    const anyPort = '127.0.0.1:0';
    const chain = startCommand(
      ...['devnet', '--home', at('chain'), '--block-time', `${blockTimeMs}`, '--history', `${historyDays}`],
      ...['--rpc-listen', anyPort, '--evm-listen', anyPort],
    );
    const [, rpcUrl = '', evmUrl = ''] = await chain.printed(
      /CometBFT's JSON-RPC at (http:\S+), Ethereum's at (http:\S+)/,
    );
    await chain.printed(/to index it: /);
    const config = ['--config', join(at('chain'), 'indexer.yaml')];
    const indexer = startWith(
      { STRATA_TEST_COMMIT_SECONDS: '1' },
      ...['start', ...config, '--data', at('index'), '--listen', anyPort],
    );
    const [, indexerUrl = ''] = await indexer.printed(/serving (http:\S+)/);
    await until(async () => {
      const { indexed_height, lag_blocks } = await statusOf(indexerUrl);
      return indexed_height > 0 && lag_blocks <= NEAR_BLOCKS;
    }, 'the indexer has not caught up');
    const app = startCommand(
      ...['app', ...config, '--testnet', '--data', at('app'), '--listen', anyPort],
      ...['--indexer', indexerUrl, '--evm-rpc', evmUrl],
    );
    const [, url = ''] = await app.printed(/the app at (http:[^\s,]+)/);
    return {
      url,
      indexerUrl,
      rpcUrl,
      evmUrl,
      indexer,
      async close() {
        indexer.hold('SIGCONT');
        await app.stop('SIGINT');
        await indexer.stop('SIGINT');
        await chain.stop('SIGINT');
        await folder.remove();
      },
    };
  } catch (error) {
    killCommands();
    await folder.remove();
    throw error;
  }
}

export interface StatusAnswer {
  readonly indexed_height: number;
  readonly lag_blocks: number;
}

/** Of the indexer's API, or of the app that forwards it. */
export async function statusOf(url: string): Promise<StatusAnswer> {
  return jsonOf<StatusAnswer>(`${url}/v1/status`);
}

/** An answer of 200 as JSON; everything else fails with what came. */
export async function jsonOf<T>(url: string, init?: RequestInit): Promise<T> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as T;
}

/** Asks until it is so; errors of asking count as no. */
export async function until(isSo: () => Promise<boolean>, otherwise: string, ms = UP_MS): Promise<void> {
  const deadlineMs = performance.now() + ms;
  let last: unknown = 'it said no';
  while (performance.now() < deadlineMs) {
    try {
      if (await isSo()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`${otherwise} within ${ms / 1_000} s: ${String(last)}`);
}
