import type { FastifyInstance } from 'fastify';
import { ClientError } from 'strata-kit/client/errors';
import type { Node } from 'strata-kit/client/node';
import { txHash } from 'strata-kit/client/tx';
import { clientKey } from 'strata-kit/client-key';
import { AppError } from '../errors.ts';
import { createLimit } from '../limits.ts';

/** Of a tx; the widest of a page (an asset of many kinds) has a few thousand. */
const TX_BYTES = 64 * 1024;
const PER_CLIENT = 60;
const SECONDS = 60;

const BODY = {
  type: 'object',
  required: ['tx'],
  additionalProperties: false,
  properties: { tx: { type: 'string', minLength: 4 } },
} as const;

/** `POST /api/chain/broadcast`: hands a signed tx to the node, and answers what its mempool says. */
export function broadcastRoute(server: FastifyInstance, node: Pick<Node, 'broadcast'>): void {
  const clients = createLimit('txs from here', PER_CLIENT, SECONDS);
  server.post<{ Body: { tx: string } }>(
    '/api/chain/broadcast',
    { schema: { body: BODY }, bodyLimit: Math.ceil(TX_BYTES / 3) * 4 + 100 },
    async ({ body, ip }) => {
      const tx = Buffer.from(body.tx, 'base64');
      if (tx.toString('base64') !== body.tx) throw new AppError('bad_request', 'tx must be base64');
      if (tx.length > TX_BYTES) throw new AppError('payload_too_large', `a tx has at most ${TX_BYTES} bytes`);
      await clients.take(clientKey(ip));
      const { hash, code, codespace, log } = await broadcast(node, tx);
      return { hash, code, codespace, log };
    },
  );
}

/** What CometBFT's mempool itself refuses is an error of the call; the SDK's codes for it are those of its own client. */
const MEMPOOL_REFUSALS: readonly (readonly [text: RegExp, code: number, log: string])[] = [
  [/tx already exists in cache/i, 19, 'tx already in mempool'],
  [/mempool is full/i, 20, 'mempool is full'],
  [/tx too large/i, 21, 'tx too large'],
];

async function broadcast(node: Pick<Node, 'broadcast'>, tx: Uint8Array) {
  try {
    return await node.broadcast(tx);
  } catch (error) {
    const known = error instanceof ClientError && MEMPOOL_REFUSALS.find(([text]) => text.test(error.message));
    if (known === false || known === undefined) throw error;
    const [, code, log] = known;
    return { hash: txHash(tx), code, codespace: 'sdk', log };
  }
}
