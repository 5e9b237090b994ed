import PQueue from 'p-queue';
import type { Clock } from '../../core/clock.ts';
import { accountState } from '../../devnet/client/accounts.ts';
import { ClientError } from '../../devnet/client/errors.ts';
import { bech32Of, type Key } from '../../devnet/client/keys.ts';
import type { Included } from '../../devnet/client/node.ts';
import { buildTx, txHash } from '../../devnet/client/tx.ts';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { type Sender, SenderUnknown, type SendRequest, type SentTx, type SignedTx } from '../sender.ts';
import { type Answer, broadcastOnce } from './broadcast.ts';
import { type Fate, watchFate } from './fate.ts';
import { feeOf, gasLimitOf, noAccount } from './gas.ts';

export interface SenderOptions {
  readonly chain: Chain;
  readonly key: Key;
  readonly clock: Clock;
  /** Between two looks for a tx; 250. */
  readonly pollMs?: number;
  /** After so long without a block that decides, a tx's fate is unknown; 120,000. */
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
/** A mempool that has dropped a tx, as a restarted node has, gets the same bytes again after so many blocks. */
const RESEND_BLOCKS = 2;

/** A sender of one key. Two senders of a key, in one process or in several, take sequences from each other, no more. */
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

  async function broadcastFirst({ bytes }: SignedTx): Promise<Answer> {
    for (let left = FULL_TRIES; ; left--) {
      const answer = await broadcastOnce(node, bytes);
      if (answer.kind !== 'full' || left <= 1 || signal?.aborted === true) return answer;
      await clock.sleep(FULL_WAIT_MS, signal);
    }
  }

  /** In the line. The tx counts as in flight from here on. */
  async function sign(request: SendRequest, gasLimit: bigint, timeoutHeight: bigint): Promise<Signed> {
    const signer = await nextSequence();
    const { messages } = request;
    const content = { messages, gasLimit, fee: feeOf(chain, gasLimit), timeoutHeight };
    const bytes = buildTx(codec, content, [{ key, ...signer }], facts.chainId);
    const tx = { hash: txHash(bytes), bytes, sequence: signer.sequence, timeoutHeight };
    await request.onSigned?.(tx);
    const answer = await broadcastFirst(tx);
    inFlight += 1;
    if (answer.kind === 'taken' || answer.kind === 'lost') next = tx.sequence + 1n;
    else if (answer.kind === 'sequence') next = answer.expected ?? next;
    else next = tx.sequence;
    return { tx, answer };
  }

  /** Errors: SenderUnknown. */
  async function follow({ tx, answer: first }: Signed): Promise<Exclude<Fate, { state: 'open' }>> {
    const watch = watchFate(chain, address, tx);
    const until = clock.nowMs() + patienceMs;
    let answer = first;
    let sentAt: number | undefined;
    let failure: unknown = answer.kind === 'lost' ? answer.error : undefined;
    while (signal?.aborted !== true && clock.nowMs() < until) {
      try {
        const { fate, height } = await watch.look();
        if (fate.state !== 'open') return fate;
        sentAt ??= height;
        if (BigInt(height) < tx.timeoutHeight && mayComeIn(answer, tx, height - sentAt)) {
          const again = await broadcastOnce(node, tx.bytes);
          if (again.kind === 'taken' || answer.kind !== 'taken') answer = again;
          sentAt = height;
        }
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        failure = error;
      }
      await clock.sleep(pollMs, signal);
    }
    throw new SenderUnknown(tx, failure ?? signal?.reason);
  }

  async function attempts(request: SendRequest): Promise<SentTx> {
    const gasLimit = await gasLimitOf(chain, key, request.messages);
    const { height } = await node.status();
    const timeoutHeight = BigInt(height + request.timeoutBlocks);
    for (let left = MAX_SIGNINGS; ; left--) {
      const signed = await line.add(() => sign(request, gasLimit, timeoutHeight));
      let fate: Exclude<Fate, { state: 'open' }>;
      try {
        fate = await follow(signed);
      } finally {
        inFlight -= 1;
      }
      if (fate.state === 'included') return sentOf(fate.tx);
      const { hash } = signed.tx;
      if (fate.by === 'timeout') {
        throw unavailable(`no block up to ${timeoutHeight} took ${hash}${reasonOf(signed.answer)}`);
      }
      if (signed.answer.kind === 'refused') {
        throw unavailable(`the node refuses ${hash}${reasonOf(signed.answer)}`);
      }
      if (left <= 1) throw unavailable(`another tx took the sequence of ${address} ${MAX_SIGNINGS} times`);
      if (BigInt((await node.status()).height) >= timeoutHeight) {
        throw unavailable(`no block up to ${timeoutHeight} took a tx that another took the sequence of`);
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
  readonly tx: SignedTx;
  readonly answer: Answer;
}

/** Whether the same bytes are worth another broadcast: sending them twice is the same as once. */
function mayComeIn(answer: Answer, { sequence }: SignedTx, blocks: number): boolean {
  if (answer.kind === 'lost') return true;
  if (answer.kind === 'taken') return blocks >= RESEND_BLOCKS;
  // those before it are on their way
  return answer.kind === 'sequence' && answer.expected !== undefined && answer.expected <= sequence;
}

function reasonOf(answer: Answer): string {
  if (answer.kind === 'taken') return '';
  return `: ${answer.kind === 'lost' ? 'the node did not answer' : answer.log}`;
}

function sentOf({ hash, height, codespace, code, log, events }: Included): SentTx {
  return { hash, height, codespace, code, log, events };
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('unavailable', message, cause === undefined ? {} : { cause });
}
