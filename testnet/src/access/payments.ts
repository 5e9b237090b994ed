import { LRUCache } from 'lru-cache';
import { ClientError } from 'strata-kit/client/errors';
import { type Outcome, type OutcomeWatch, watchOutcome } from 'strata-kit/client/outcome';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { type Sender, SenderUnknown, type SentTx } from '../sender.ts';

/** The faucet's payments, safe to ask for again when an answer is lost. */
export interface Payments {
  /** The payment of this request id; undefined where no block is known to hold it. */
  paid(address: string, requestId: string | undefined): SentTx | undefined;
  /** A payment to the account is not decided: `pay` then begins no other. */
  isBegun(address: string): boolean;
  /** The request id was asked before, and its payment is not decided. */
  isRepeat(address: string, requestId: string | undefined): boolean;
  /**
   * One payment for one request id, and one at a time for an account: who asks meanwhile gets the same one. Errors: those of
   * Sender.send; AppError unavailable while an earlier payment is not decided or too many are, bad_request for another
   * account's id.
   */
  pay(address: string, requestId: string | undefined): Promise<SentTx>;
}

/** Ids that are remembered, and for how long: somebody who heard nothing asks again within minutes. */
const REMEMBERED = 10_000;
const REMEMBERED_MS = 600_000;
/** Accounts whose payment is not decided. */
const MOST_OPEN = 64;
/** Undecided payments that the request of a new account looks at. */
const LOOKS = 4;

interface Payment {
  readonly address: string;
  running: Promise<SentTx> | undefined;
  /** Of a payment that the sender has left undecided. */
  watch: OutcomeWatch | undefined;
  looking: Promise<Outcome> | undefined;
  /** A block holds it, and it succeeded there. */
  sent: SentTx | undefined;
}

export function createPayments(
  chain: Pick<Chain, 'codec' | 'node'>,
  sender: Sender,
  timeoutBlocks: number,
  messageTo: (address: string) => JsonObject,
): Payments {
  const requests = new LRUCache<string, Payment>({ max: REMEMBERED, ttl: REMEMBERED_MS });
  /** Of each account the payment that is not decided; the longest without a look first. */
  const open = new Map<string, Payment>();
  let clearing: Promise<ClientError | undefined> | undefined;

  function keep(payment: Payment, sent: SentTx): void {
    if (sent.code === 0) payment.sent = sent;
  }

  function leaveIfDecided(payment: Payment): void {
    if (payment.running === undefined && payment.watch === undefined) open.delete(payment.address);
  }

  async function look(payment: Payment, watch: OutcomeWatch): Promise<Outcome> {
    const { outcome } = await watch.look();
    if (outcome.state === 'open') return outcome;
    payment.watch = undefined;
    if (outcome.state === 'included') keep(payment, outcome.tx);
    return outcome;
  }

  /** One look at a time. Errors: ClientError. */
  function outcomeOf(payment: Payment, watch: OutcomeWatch): Promise<Outcome> {
    payment.looking ??= look(payment, watch).finally(() => {
      payment.looking = undefined;
    });
    return payment.looking;
  }

  /** Nothing is signed beside a payment that is not decided. */
  async function run(payment: Payment): Promise<SentTx> {
    const { address, watch } = payment;
    if (watch !== undefined) {
      const outcome = await orUnavailable(outcomeOf(payment, watch));
      if (outcome.state === 'open') {
        throw new AppError(
          'unavailable',
          'it is not certain yet whether an earlier payment to this account is in a block',
        );
      }
      if (outcome.state === 'included') return outcome.tx;
    }
    try {
      const sent = await sender.send({ messages: [messageTo(address)], timeoutBlocks });
      keep(payment, sent);
      return sent;
    } catch (error) {
      if (error instanceof SenderUnknown) payment.watch = watchOutcome(chain, sender.address, error.tx);
      throw error;
    }
  }

  /**
   * Looks at some of the undecided payments and forgets those that are decided: their own account may never ask again. A
   * payment that the node cannot show stays undecided; the error is the cause where no place is free.
   */
  async function clear(): Promise<ClientError | undefined> {
    const held = [...open.values()].flatMap((payment) => {
      const { running, watch } = payment;
      return running === undefined && watch !== undefined ? [{ payment, watch }] : [];
    });
    let failure: ClientError | undefined;
    const looks = held.slice(0, LOOKS).map(async ({ payment, watch }) => {
      open.delete(payment.address);
      open.set(payment.address, payment);
      try {
        await outcomeOf(payment, watch);
        leaveIfDecided(payment);
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        failure = error;
      }
    });
    await Promise.all(looks);
    return failure;
  }

  async function paymentTo(address: string): Promise<Payment> {
    const known = open.get(address);
    if (known !== undefined) return known;
    clearing ??= clear().finally(() => {
      clearing = undefined;
    });
    const failure = await clearing;
    // another request of the account may have come first
    const begun = open.get(address);
    if (begun !== undefined) return begun;
    if (open.size >= MOST_OPEN) {
      throw new AppError('unavailable', `${open.size} payments are not decided yet: ask again later`, {
        cause: failure,
      });
    }
    const payment: Payment = {
      address,
      running: undefined,
      watch: undefined,
      looking: undefined,
      sent: undefined,
    };
    open.set(address, payment);
    return payment;
  }

  function requestOf(address: string, requestId: string | undefined): Payment | undefined {
    const request = requestId === undefined ? undefined : requests.get(requestId);
    return request?.address === address ? request : undefined;
  }

  return {
    paid: (address, requestId) => requestOf(address, requestId)?.sent,
    isBegun: (address) => open.has(address),
    isRepeat: (address, requestId) => {
      const request = requestOf(address, requestId);
      return request !== undefined && open.get(address) === request;
    },
    async pay(address, requestId) {
      const before = requestId === undefined ? undefined : requests.get(requestId);
      if (before !== undefined && before.address !== address)
        throw new AppError('bad_request', 'this request_id was used for another account');
      if (before?.sent !== undefined) return before.sent;
      const payment = await paymentTo(address);
      if (requestId !== undefined) requests.set(requestId, payment);
      payment.running ??= run(payment).finally(() => {
        payment.running = undefined;
        leaveIfDecided(payment);
      });
      return await payment.running;
    },
  };
}

async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    throw new AppError('unavailable', 'the chain does not answer', { cause: error });
  }
}
