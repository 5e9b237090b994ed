import type { Logger } from 'pino';
import { ChainError } from 'strata-kit/chain-error';
import { broadcastOnce } from 'strata-kit/client/broadcast';
import { ClientError } from 'strata-kit/client/errors';
import { txHash } from 'strata-kit/client/tx';
import type { Clock } from 'strata-kit/clock';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import type { Instrument } from '../instrument.ts';
import { hashDocument } from '../launchpad/document.ts';
import type { Documents } from '../launchpad/documents.ts';
import { TEST_ASSETS } from './assets.ts';
import { revertOf } from './ethereum.ts';
import { nextStep, type TestnetKeys, type TestnetStep, testInstruments } from './steps.ts';

export interface TestnetOptions {
  readonly chain: Chain;
  readonly keys: TestnetKeys;
  readonly documents: Pick<Documents, 'put'>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Between two looks; 500. */
  readonly pollMs?: number;
  /** Told before the txs of a step are broadcast, and between them. */
  readonly onTx?: () => void;
}

/** Looks that end with a refusal, a failure or no answer, before it gives up. */
const MAX_FAILURES = 60;
/** For a block to take a tx. */
const WAIT_MS = 30_000;

/**
 * Makes what the testnet lacks, one thing after the other, each looked for on the chain: started again after a kill it
 * goes on where it was. The instruments that there are then; fewer when it has given up, which the log says.
 */
export async function makeTestnet(options: TestnetOptions): Promise<readonly Instrument[]> {
  const { chain, keys, documents, clock, log, signal, pollMs = 500 } = options;
  // before the assets that name them
  for (const { document } of TEST_ASSETS) await documents.put(hashDocument(document));
  if (chain.facts.contracts?.router === undefined) {
    log.warn('the test assets get no pools and no prices: no router is configured (chain: evm: router)');
  }
  let made = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const step = await nextStep(chain, keys);
      if (step === undefined) break;
      const wrong = await send(step, options);
      if (wrong !== undefined) throw new ChainError('testnet', 1, wrong);
      made += 1;
      failures = 0;
      log.info(`testnet: made ${step.what}`);
    } catch (error) {
      if (!isForeseen(error)) throw error;
      failures += 1;
      if (failures === 1 || failures % 10 === 0) log.info({ err: error }, 'testnet: looks again');
      if (failures >= MAX_FAILURES) {
        log.error({ err: error }, 'testnet: gives up; start the app again to go on');
        break;
      }
      await clock.sleep(pollMs, signal);
    }
  }
  const instruments = await testInstruments(chain, keys.desk);
  log.info(
    `testnet: ${made === 0 ? 'nothing was missing' : `${made} things were missing`}; the desk trades ${instruments.map(({ symbol }) => symbol).join(', ')}`,
  );
  return instruments;
}

/** What went wrong; undefined when blocks hold all its txs, and each did what it should. */
async function send({ txs }: TestnetStep, options: TestnetOptions): Promise<string | undefined> {
  const { chain, onTx = () => undefined } = options;
  for (const tx of txs) {
    onTx();
    const answer = await broadcastOnce(chain.node, tx);
    if (answer.kind === 'lost') return answer.error.message;
    if (answer.kind !== 'taken') return answer.log;
  }
  for (const tx of txs) {
    const wrong = await outcome(txHash(tx), options);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

async function outcome(hash: string, options: TestnetOptions): Promise<string | undefined> {
  const { chain, clock, signal, pollMs = 500 } = options;
  const until = clock.nowMs() + WAIT_MS;
  while (!signal.aborted && clock.nowMs() < until) {
    const included = await chain.node.tx(hash);
    if (included !== undefined && included.code !== 0) {
      return `${included.codespace}/${included.code}: ${included.log}`;
    }
    if (included !== undefined) return revertOf(included.events);
    await clock.sleep(Math.min(pollMs, 250), signal);
  }
  return `no block has ${hash}`;
}

function isForeseen(error: unknown): boolean {
  return error instanceof ChainError || error instanceof ClientError || error instanceof AppError;
}
