import type { FastifyInstance } from 'fastify';
import { canonicalAccount } from 'strata-kit/address';
import { ChainError } from 'strata-kit/chain-error';
import { clientKey } from 'strata-kit/client-key';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';
import { createLimit } from '../limits.ts';
import type { Sender, SentTx } from '../sender.ts';
import { createPayments, type Payments } from './payments.ts';

/** What the reference chain's faucet gives at a time (docs/devnet.md): 1 native coin and 100 stable ones. */
const NATIVE_AMOUNT = 10n ** 18n;
const STABLE_AMOUNT = 100n * 10n ** 6n;
/** As the desk's requests: a few an account, more for those who share an address. */
const PER_ADDRESS = 5;
const PER_CLIENT = 20;
/** Of a client, for payments that it asked for and that are not decided: each asks the node. */
const REPEATS = 60;
const SECONDS = 600;
const WAIT_MS = 10_000;
/** A tx that nobody waits for any more does not come much later either. */
const TIMEOUT_BLOCKS = 15;

const BODY = {
  type: 'object',
  required: ['address'],
  additionalProperties: false,
  properties: {
    address: { type: 'string', maxLength: 100 },
    request_id: { type: 'string', pattern: '^[A-Za-z0-9-]{8,64}$' },
  },
} as const;

/** `POST /api/faucet`: pays an account, and answers when a block holds the tx. The same request_id is paid once. */
export function faucetRoute(
  server: FastifyInstance,
  chain: Pick<Chain, 'codec' | 'node' | 'facts'>,
  sender: Sender | undefined,
  waitMs = WAIT_MS,
): void {
  const { facts } = chain;
  const clients = createLimit('requests to the faucet from here', PER_CLIENT, SECONDS);
  const addresses = createLimit('requests to the faucet for this address', PER_ADDRESS, SECONDS);
  const repeats = createLimit('repeated requests to the faucet from here', REPEATS, SECONDS);
  const coins = [
    { denom: facts.gasDenom, amount: String(NATIVE_AMOUNT) },
    { denom: facts.stableDenom, amount: String(STABLE_AMOUNT) },
  ].sort((a, b) => (a.denom < b.denom ? -1 : 1));

  const payments =
    sender === undefined
      ? undefined
      : createPayments(chain, sender, TIMEOUT_BLOCKS, (to_address) => ({
          '@type': '/cosmos.bank.v1beta1.MsgSend',
          from_address: sender.address,
          to_address,
          amount: coins,
        }));

  async function pay(to: Payments, address: string, id: string | undefined, client: string): Promise<SentTx> {
    await (to.isRepeat(address, id) ? repeats : clients).take(client);
    if (!to.isBegun(address)) await addresses.take(address);
    const sent = await within(to.pay(address, id), waitMs);
    if (sent.code !== 0) throw refused(sent.log);
    return sent;
  }

  server.post<{ Body: { address: string; request_id?: string } }>(
    '/api/faucet',
    { schema: { body: BODY }, bodyLimit: 1_024 },
    async ({ body, ip }) => {
      if (payments === undefined) throw new AppError('not_found', 'there is no faucet here');
      const address = canonicalAccount(body.address, facts.hrp);
      if (address === undefined) {
        throw new AppError(
          'bad_request',
          `address must be an account: ${facts.hrp}1… or 0x and 40 hex digits`,
        );
      }
      const id = body.request_id;
      const sent = payments.paid(address, id) ?? (await pay(payments, address, id, clientKey(ip)));
      return { tx_hash: sent.hash, height: sent.height, coins };
    },
  );
}

/** Errors: AppError unavailable when the tx is in no block in time, conflict for what the chain refuses. */
async function within(sending: Promise<SentTx>, waitMs: number): Promise<SentTx> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new AppError(
      'unavailable',
      `no block held the tx within ${waitMs / 1_000} s; it may still come`,
    );
    timer = setTimeout(() => reject(error), waitMs);
  });
  try {
    return await Promise.race([sending, late]);
  } catch (error) {
    // what comes of it later nobody is told
    sending.catch(() => undefined);
    throw error instanceof ChainError ? refused(error.message) : error;
  } finally {
    clearTimeout(timer);
  }
}

function refused(reason: string): AppError {
  return new AppError('conflict', `the chain refuses: ${reason}`);
}
