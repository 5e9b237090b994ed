import { LRUCache } from 'lru-cache';
import { ClientError } from '../../devnet/client/errors.ts';
import { type OutcomeWatch, watchOutcome } from '../../devnet/client/outcome.ts';
import type { JsonObject } from '../../devnet/json.ts';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { type Sender, SenderUnknown, type SentTx } from '../sender.ts';

/** The faucet's payments, safe to ask for again when an answer is lost. */
export interface Payments {
  /** Whether a request of this id was paid, or a payment to the account is not decided: `pay` then begins none. */
  isBegun(address: string, requestId: string | undefined): boolean;
  /**
   * One payment for one request id, and one at a time for an account: who asks meanwhile gets the same one. Errors: those of
   * Sender.send; AppError unavailable while an earlier payment is not decided, bad_request for another account's id.
   */
  pay(address: string, requestId: string | undefined): Promise<SentTx>;
}

/** Ids that are remembered, and for how long: somebody who heard nothing asks again within minutes. */
const REMEMBERED = 10_000;
const REMEMBERED_MS = 600_000;
/** Accounts whose payment is not decided. */
const MOST_OPEN = 64;

interface Open {
  running: Promise<SentTx> | undefined;
  /** Of a payment that the sender has left undecided. */
  watch: OutcomeWatch | undefined;
}

export function createPayments(
  chain: Pick<Chain, 'codec' | 'node'>,
  sender: Sender,
  timeoutBlocks: number,
  messageTo: (address: string) => JsonObject,
): Payments {
  const paid = new LRUCache<string, { readonly address: string; readonly sent: SentTx }>({
    max: REMEMBERED,
    ttl: REMEMBERED_MS,
  });
  const open = new Map<string, Open>();

  /** Nothing is signed beside a payment that is not decided. */
  async function run(address: string, one: Open): Promise<SentTx> {
    if (one.watch !== undefined) {
      const { outcome } = await lookOrUnavailable(one.watch);
      if (outcome.state === 'open') {
        throw new AppError(
          'unavailable',
          'it is not certain yet whether an earlier payment to this account is in a block',
        );
      }
      one.watch = undefined;
      if (outcome.state === 'included') return outcome.tx;
    }
    try {
      return await sender.send({ messages: [messageTo(address)], timeoutBlocks });
    } catch (error) {
      if (error instanceof SenderUnknown) one.watch = watchOutcome(chain, sender.address, error.tx);
      throw error;
    }
  }

  function openOf(address: string): Open {
    const known = open.get(address);
    if (known !== undefined) return known;
    if (open.size >= MOST_OPEN) {
      throw new AppError('unavailable', `${open.size} payments are not decided yet: ask again later`);
    }
    const one: Open = { running: undefined, watch: undefined };
    open.set(address, one);
    return one;
  }

  return {
    isBegun: (address, requestId) => open.has(address) || (requestId !== undefined && paid.has(requestId)),
    async pay(address, requestId) {
      const before = requestId === undefined ? undefined : paid.get(requestId);
      if (before !== undefined) {
        if (before.address === address) return before.sent;
        throw new AppError('bad_request', 'this request_id was used for another account');
      }
      const one = openOf(address);
      one.running ??= run(address, one).finally(() => {
        one.running = undefined;
        if (one.watch === undefined) open.delete(address);
      });
      const sent = await one.running;
      if (requestId !== undefined && sent.code === 0) paid.set(requestId, { address, sent });
      return sent;
    },
  };
}

async function lookOrUnavailable(watch: OutcomeWatch): ReturnType<OutcomeWatch['look']> {
  try {
    return await watch.look();
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new AppError('unavailable', 'the chain does not answer', { cause: error });
  }
}
