import PQueue from 'p-queue';
import { accountState } from 'strata-kit/client/accounts';
import { type Answer, broadcastOnce, reasonOf } from 'strata-kit/client/broadcast';
import { ClientError } from 'strata-kit/client/errors';
import { type Followed, followSigned } from 'strata-kit/client/follow';
import { bech32Of, type Key } from 'strata-kit/client/keys';
import type { Included } from 'strata-kit/client/node';
import type { SignedBytes } from 'strata-kit/client/outcome';
import { buildTx, txHash } from 'strata-kit/client/tx';
import type { Clock } from 'strata-kit/clock';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { type Sender, SenderUnknown, type SendRequest, type SentTx } from '../sender.ts';
import { feeOf, gasLimitOf, noAccount } from './gas.ts';

export interface SenderOptions {
  readonly chain: Chain;
  readonly key: Key;
  readonly clock: Clock;
  /** Between two looks for a tx; 250. */
  readonly pollMs?: number;
  /** After so long without a decision a tx is given up as unknown; 120,000. */
  readonly patienceMs?: number;
  /** Requests at a time; more are refused. 64. */
  readonly maxInFlight?: number;
  /** Aborted: whatever is in flight becomes unknown. */
  readonly signal?: AbortSignal;
}

/** How often one request is signed at most: each time another tx has taken its sequence. */
const MAX_SIGNINGS = 8;
/** Looks for room in a full mempool, and the time between them. */
const FULL_TRIES = 6;
const FULL_WAIT_MS = 500;

/** A sender of one key. Two senders of a key, in one process or in several, take sequences from each other and lose nothing else. */
export function createSender(options: SenderOptions): Sender {
  const { chain, key, clock, pollMs = 250, patienceMs = 120_000, maxInFlight = 64, signal } = options;
  const { codec, node, facts } = chain;
  const address = bech32Of(facts.hrp, key);
  /** Signing and the first broadcast, one after the other: a mempool takes sequences in order. */
  const line = new PQueue({ concurrency: 1 });
  let requests = 0;
  let inFlight = 0;
  /** Where the account's next tx goes on; what the chain says holds when nothing is in flight. */
  let next = 0n;

  async function nextSequence(): Promise<{ readonly accountNumber: bigint; readonly sequence: bigint }> {
    const state = await accountState(codec, node, address);
    if (state === undefined) throw noAccount(address);
    const sequence = inFlight === 0 || state.sequence > next ? state.sequence : next;
    return { accountNumber: state.number, sequence };
  }

  async function broadcastFirst({ bytes }: SignedBytes): Promise<Answer> {
    for (let left = FULL_TRIES; ; left--) {
      const answer = await broadcastOnce(node, bytes);
      if (answer.kind !== 'full' || left <= 1 || signal?.aborted === true) return answer;
      await clock.sleep(FULL_WAIT_MS, signal);
    }
  }

  /** In the line. The tx counts as in flight from here on. */
  async function sign(request: SendRequest, terms: Terms): Promise<Signed> {
    const signer = await nextSequence();
    const { messages } = request;
    const { gasLimit, timeoutHeight, signedHeight } = terms;
    const content = { messages, gasLimit, fee: feeOf(chain, gasLimit), timeoutHeight };
    const bytes = buildTx(codec, content, [{ key, ...signer }], facts.chainId);
    const tx = { hash: txHash(bytes), bytes, sequence: signer.sequence, timeoutHeight, signedHeight };
    await request.onSigned?.(tx);
    const answer = await broadcastFirst(tx);
    inFlight += 1;
    if (answer.kind === 'taken' || answer.kind === 'lost') next = tx.sequence + 1n;
    else if (answer.kind === 'sequence') next = answer.expected ?? next;
    else next = tx.sequence;
    return { tx, answer };
  }

  async function follow({ tx, answer }: Signed): Promise<Followed> {
    return await followSigned(tx, answer, { codec, node, address, clock, pollMs, patienceMs, signal });
  }

  async function attempts(request: SendRequest): Promise<SentTx> {
    const gasLimit = await gasLimitOf(chain, key, request.messages);
    const { height: signedHeight } = await node.status();
    const timeoutHeight = BigInt(signedHeight + request.timeoutBlocks);
    for (let left = MAX_SIGNINGS; ; left--) {
      const signed = await line.add(() => sign(request, { gasLimit, timeoutHeight, signedHeight }));
      let followed: Followed;
      try {
        followed = await follow(signed);
      } finally {
        inFlight -= 1;
      }
      const { outcome, answer, failure } = followed;
      if (outcome.state === 'included') return sentOf(outcome.tx);
      if (outcome.state === 'open') throw new SenderUnknown(signed.tx, failure);
      const { hash } = signed.tx;
      const reason = reasonOf(answer);
      if (outcome.by === 'timeout') {
        throw unavailable(
          `no block up to ${timeoutHeight} took ${hash}${reason === '' ? '' : `: ${reason}`}`,
        );
      }
      if (signed.answer.kind === 'refused') throw unavailable(`the node refuses ${hash}: ${reason}`);
      if (left <= 1) throw unavailable(`another tx took the sequence of ${address} ${MAX_SIGNINGS} times`);
      if (BigInt((await node.status()).height) >= timeoutHeight) {
        throw unavailable(`another tx took the sequence of ${address}, and block ${timeoutHeight} is past`);
      }
    }
  }

  return {
    address,
    async send(request) {
      if (requests >= maxInFlight) throw unavailable(`${address} has ${requests} txs on their way already`);
      requests += 1;
      try {
        return await attempts(request);
      } catch (error) {
        // its text names the node's address, which is not everybody's to know
        if (error instanceof ClientError) throw unavailable('the chain does not answer', error);
        throw error;
      } finally {
        requests -= 1;
      }
    },
  };
}

interface Signed {
  readonly tx: SignedBytes;
  readonly answer: Answer;
}

/** What every signing of one request has in common. */
interface Terms {
  readonly gasLimit: bigint;
  readonly timeoutHeight: bigint;
  readonly signedHeight: number;
}

function sentOf({ hash, height, codespace, code, log, events }: Included): SentTx {
  return { hash, height, codespace, code, log, events };
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, cause === undefined ? {} : { cause });
}
