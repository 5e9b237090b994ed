import type { Codec } from '../codec/codec.ts';
import { type Answer, broadcastOnce } from './broadcast.ts';
import { ClientError } from './errors.ts';
import type { Node } from './node.ts';
import { type Outcome, type SignedBytes, watchOutcome } from './outcome.ts';

export interface FollowOptions {
  readonly codec: Codec;
  readonly node: Node;
  /** Bech32, of who signed. */
  readonly address: string;
  /** Signed before with the same sequence: none when left out. */
  readonly earlier?: readonly SignedBytes[];
  readonly clock: {
    nowMs(): number;
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
  };
  /** Between two looks. */
  readonly pollMs: number;
  /** After so long without a decision it stays open. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface Followed {
  readonly outcome: Outcome;
  /** A mempool's last answer to the bytes. */
  readonly answer: Answer;
  /** Why it is open, where that is known. */
  readonly failure: unknown;
}

/** A mempool that has dropped a tx, as a restarted node has, gets the same bytes again after so many blocks. */
const RESEND_BLOCKS = 2;
/** Looks between two broadcasts of bytes whose answer was lost: 1, 2, 4 and so on. */
const MOST_LOOKS = 32;

/** Follows signed bytes until their outcome is certain or patience ends; sends the same bytes again where that may help. */
export async function followSigned(
  signed: SignedBytes,
  first: Answer,
  options: FollowOptions,
): Promise<Followed> {
  const { codec, node, address, earlier, clock, pollMs, patienceMs, signal } = options;
  const watch = watchOutcome({ codec, node }, address, signed, earlier);
  const until = clock.nowMs() + patienceMs;
  let answer = first;
  let sentAt: number | undefined;
  let failure: unknown = first.kind === 'lost' ? first.error : undefined;
  let looksBetween = 1;
  let looks = 0;
  while (signal?.aborted !== true) {
    looks += 1;
    try {
      const { outcome, height } = await watch.look();
      if (outcome.state !== 'open') return { outcome, answer, failure: undefined };
      sentAt ??= height;
      const isInTime = signed.timeoutHeight === 0n || BigInt(height) < signed.timeoutHeight;
      if (isInTime && looks >= looksBetween && mayComeIn(answer, signed, height - sentAt)) {
        const again = await broadcastOnce(node, signed.bytes);
        if (again.kind === 'taken' || answer.kind !== 'taken') answer = again;
        sentAt = height;
        looks = 0;
        looksBetween = Math.min(looksBetween * 2, MOST_LOOKS);
      }
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      failure = error;
    }
    if (clock.nowMs() + pollMs > until) break;
    await clock.sleep(pollMs, signal);
  }
  return { outcome: { state: 'open' }, answer, failure: failure ?? signal?.reason };
}

/** Whether the same bytes are worth another broadcast: sending them twice is the same as once. */
function mayComeIn(answer: Answer, { sequence }: SignedBytes, blocks: number): boolean {
  if (answer.kind === 'lost' || answer.kind === 'full') return true;
  if (answer.kind === 'taken') return blocks >= RESEND_BLOCKS;
  // lower sequences are on their way
  return answer.kind === 'sequence' && answer.expected !== undefined && answer.expected <= sequence;
}
