import type { DevnetOptions } from 'strata-devnet/devnet';
import { accountState } from 'strata-kit/client/accounts';
import { ClientError } from 'strata-kit/client/errors';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { connectNode, type Node } from 'strata-kit/client/node';
import type { SignedBytes } from 'strata-kit/client/outcome';
import { buildTx, txHash } from 'strata-kit/client/tx';
import { systemClock } from 'strata-kit/clock';
import { afterEach, expect, it } from 'vitest';
import { inclusionOf } from '../../../../test/support/inclusion.ts';
import { startLossyRelay } from '../../../../test/support/lossy-relay.ts';
import { createSender, type SenderOptions } from '../../../src/sender/sender.ts';
import { SenderUnknown, type SendRequest } from '../../../src/sender.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from '../support/devnet-chain.ts';
import { withOtherHash } from '../support/relay.ts';

/** One account's txs on a chain that makes blocks by itself, and what goes wrong on the way. */

const open: DevnetChain[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function devnetChain(options: DevnetOptions = {}): Promise<DevnetChain> {
  const one = await openDevnetChain(options);
  open.push(one);
  return one;
}

const receiver = (i: number) => bech32Of('aeva', keyFromSeed('secp256k1', 'receiver', i));
const faucet = bech32Of('aeva', FAUCET);
/** Of 40 ms each: a busy machine takes seconds for what a quiet one does in a block. */
const TIMEOUT_BLOCKS = 1_000;

function paying(to: string, more: Partial<SendRequest> = {}): SendRequest {
  const amount = [{ denom: 'uusd', amount: '7' }];
  const message = {
    '@type': '/cosmos.bank.v1beta1.MsgSend',
    from_address: faucet,
    to_address: to,
    amount,
  };
  return { messages: [message], timeoutBlocks: TIMEOUT_BLOCKS, ...more };
}

function senderOf({ chain }: DevnetChain, node: Partial<Node> = {}, options: Partial<SenderOptions> = {}) {
  const given = { chain: { ...chain, node: { ...chain.node, ...node } }, key: FAUCET, clock: systemClock };
  return createSender({ ...given, pollMs: 10, ...options });
}

const failure = (act: Promise<unknown>) =>
  act.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  );

it('sends many at once, with consecutive sequences and several in one block', async () => {
  const one = await devnetChain({ blockTimeMs: 150 });
  one.devnet.start();
  const signed: SignedBytes[] = [];
  const sender = senderOf(one);
  const sent = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      sender.send(
        paying(receiver(i), {
          async onSigned(tx) {
            // not on the chain before it is told of
            expect(await one.chain.node.tx(tx.hash)).toBeUndefined();
            signed.push(tx);
          },
        }),
      ),
    ),
  );
  expect(sent.map(({ code }) => code)).toEqual(sent.map(() => 0));
  expect(signed.map(({ sequence }) => sequence)).toEqual(signed.map((_, i) => BigInt(i)));
  expect(new Set(sent.map(({ height }) => height)).size).toBeLessThan(30);
  for (const { timeoutHeight } of signed)
    expect(timeoutHeight).toBeGreaterThanOrEqual(BigInt(TIMEOUT_BLOCKS));
  for (let i = 0; i < 30; i++) expect(await one.balance(receiver(i), 'uusd')).toBe(7n);
  expect(sent[0]?.events.map(({ type }) => type)).toContain('transfer');
});

it('signs again when another that signs for the account goes ahead, and pays once', async () => {
  const one = await devnetChain();
  let stolen = 0;
  // ahead of the mempool, as the workload's: the sequence that a waiting tx of ours has
  one.devnet.start(async () => {
    if (stolen >= 6 || one.devnet.chain.mempoolSize().count === 0) return [];
    stolen += 1;
    const state = await accountState(one.devnet.app.codec, one.chain.node, faucet);
    const signer = { key: FAUCET, accountNumber: state?.number ?? 0n, sequence: state?.sequence ?? 0n };
    const fee = [{ denom: 'aaeva', amount: 200_000n * 10n ** 9n }];
    const content = { messages: paying(receiver(100 + stolen)).messages, fee, gasLimit: 200_000n };
    return [buildTx(one.devnet.app.codec, content, [signer], 'aeva_9111-1')];
  });
  const sender = senderOf(one);
  const signed: SignedBytes[] = [];
  const sent = await Promise.all(
    [0, 1, 2, 3].map((i) =>
      sender.send(paying(receiver(i), { onSigned: async (tx) => void signed.push(tx) })),
    ),
  );
  expect(sent.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  expect(stolen).toBeGreaterThan(0);
  expect(signed.length).toBeGreaterThan(4);
  for (const i of [0, 1, 2, 3]) expect(await one.balance(receiver(i), 'uusd')).toBe(7n);
});

it('gives up with a clear error when others take every sequence', async () => {
  const one = await devnetChain();
  one.devnet.start(async () => {
    if (one.devnet.chain.mempoolSize().count === 0) return [];
    const state = await accountState(one.devnet.app.codec, one.chain.node, faucet);
    const signer = { key: FAUCET, accountNumber: state?.number ?? 0n, sequence: state?.sequence ?? 0n };
    const fee = [{ denom: 'aaeva', amount: 200_000n * 10n ** 9n }];
    const content = { messages: paying(receiver(9)).messages, fee, gasLimit: 200_000n };
    return [buildTx(one.devnet.app.codec, content, [signer], 'aeva_9111-1')];
  });
  expect(await failure(senderOf(one).send(paying(receiver(0))))).toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('8 times'),
  });
  expect(await one.balance(receiver(0), 'uusd')).toBe(0n);
});

it('pays once when the answer to a broadcast is lost, before and after the node has the bytes', async () => {
  const one = await devnetChain();
  one.devnet.start();
  // counted per tx: six senders in step could keep one of them on the same third of a common count for ever
  const tries = new Map<string, number>();
  const sender = senderOf(one, {
    async broadcast(bytes) {
      const tx = txHash(bytes);
      const count = (tries.get(tx) ?? 0) + 1;
      tries.set(tx, count);
      if (count % 3 === 1) throw new ClientError('timeout', 'no answer');
      const answer = await one.chain.node.broadcast(bytes);
      if (count % 3 === 2) throw new ClientError('unreachable', 'the connection broke');
      return answer;
    },
  });
  const sent = await Promise.all([0, 1, 2, 3, 4, 5].map((i) => sender.send(paying(receiver(i)))));
  expect(sent.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
  for (const i of [0, 1, 2, 3, 4, 5]) expect(await one.balance(receiver(i), 'uusd')).toBe(7n);
});

it('pays once when a relay reports as refused what it sends on', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const sender = senderOf(one, {
    async broadcast(bytes) {
      const { hash } = await one.chain.node.broadcast(bytes);
      return { hash, codespace: 'sdk', code: 5, log: 'insufficient funds' };
    },
  });
  const signed: SignedBytes[] = [];
  for (const i of [0, 1]) {
    const sent = await sender.send(paying(receiver(i), { onSigned: async (tx) => void signed.push(tx) }));
    expect([sent.code, await one.balance(receiver(i), 'uusd')]).toEqual([0, 7n]);
  }
  expect(signed.map(({ sequence }) => sequence)).toEqual([0n, 1n]);
});

it.each([
  ['gives its txs other hashes', false],
  ['gives its txs other hashes and loses the answers', true],
] as const)('pays once when a relay %s', async (_, losesAnswers) => {
  const one = await devnetChain();
  one.devnet.start();
  const hashes = new Set<string>();
  const sender = senderOf(one, {
    async broadcast(bytes) {
      const changed = await withOtherHash(one.chain, FAUCET, bytes);
      const answer = await one.chain.node.broadcast(changed);
      if (answer.code === 0) hashes.add(answer.hash);
      if (losesAnswers) throw new ClientError('unreachable', 'the connection broke');
      return answer;
    },
  });
  const signed: SignedBytes[] = [];
  const sent = await Promise.all(
    [0, 1, 2].map((i) => sender.send(paying(receiver(i), { onSigned: async (tx) => void signed.push(tx) }))),
  );
  // what it answers is what the chain has
  expect(new Set(sent.map(({ hash }) => hash))).toEqual(hashes);
  expect(sent.map(({ code }) => code)).toEqual([0, 0, 0]);
  expect(signed.length).toBe(3);
  for (const { hash } of signed) expect(hashes.has(hash)).toBe(false);
  for (const i of [0, 1, 2]) expect(await one.balance(receiver(i), 'uusd')).toBe(7n);
});

it('pays once when a relay changes its tx, and the block that holds it', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const relay = await startLossyRelay(one.url);
  const ask = async (request: object): Promise<{ result: { block: { data: { txs: string[] | null } } } }> => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(one.url, { method: 'POST', headers, body: JSON.stringify(request) });
    return JSON.parse(await answer.text());
  };
  relay.lies = (_, body) => {
    const request = JSON.parse(body);
    const { method, params } = request;
    if (method === 'broadcast_tx_sync') {
      return withOtherHash(one.chain, FAUCET, Buffer.from(params.tx, 'base64')).then(async (tx) =>
        JSON.stringify(await ask({ ...request, params: { tx: Buffer.from(tx).toString('base64') } })),
      );
    }
    if (method !== 'block') return undefined;
    return ask(request).then((answer) => {
      const { data } = answer.result.block;
      // bytes that are no tx of ours
      data.txs = (data.txs ?? []).map((tx) => Buffer.from(tx, 'base64').fill(0, 8, 40).toString('base64'));
      return JSON.stringify(answer);
    });
  };
  const sender = senderOf(one, connectNode(relay.url), { patienceMs: 1_000 });
  const signed: SignedBytes[] = [];
  const request = paying(receiver(0), { onSigned: async (tx) => void signed.push(tx) });
  expect(await failure(sender.send(request))).toBeInstanceOf(SenderUnknown);
  expect([signed.length, await one.balance(receiver(0), 'uusd')]).toEqual([1, 7n]);
  await relay.close();
});

it('sends no signed bytes to a simulation, which a relay could send on', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const { codec } = one.devnet.app;
  const signatures: unknown[] = [];
  const sender = senderOf(one, {
    async query(path, data) {
      if (path.endsWith('/Simulate')) {
        const { tx_bytes } = codec.decode('/cosmos.tx.v1beta1.SimulateRequest', data);
        const tx = codec.decode('/cosmos.tx.v1beta1.TxRaw', Buffer.from(String(tx_bytes), 'base64'));
        signatures.push(tx.signatures);
      }
      return await one.chain.node.query(path, data);
    },
  });
  await sender.send(paying(receiver(0)));
  expect(signatures).toEqual([[Buffer.alloc(64).toString('base64')]]);
});

it('signs nothing again while the node cannot show whose tx has its sequence', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const sender = senderOf(
    one,
    {
      broadcast: async (bytes) => one.chain.node.broadcast(await withOtherHash(one.chain, FAUCET, bytes)),
      blockTxs: (height) => Promise.reject(new ClientError('node', `height ${height} is not available`)),
    },
    { patienceMs: 1_000 },
  );
  const signed: SignedBytes[] = [];
  const request = paying(receiver(0), { onSigned: async (tx) => void signed.push(tx) });
  expect(await failure(sender.send(request))).toBeInstanceOf(SenderUnknown);
  expect(signed.length).toBe(1);
  expect(await one.balance(receiver(0), 'uusd')).toBe(7n);
});

it('says that no block took it only after the timeout height, and never pays later', async () => {
  const one = await devnetChain();
  one.devnet.start();
  let signed: SignedBytes | undefined;
  const sender = senderOf(one, { broadcast: () => Promise.reject(new ClientError('timeout', 'no answer')) });
  const request = paying(receiver(0), {
    timeoutBlocks: 5,
    async onSigned(tx) {
      signed = tx;
    },
  });
  expect(await failure(sender.send(request))).toMatchObject({ code: 'unavailable' });
  expect(BigInt((await one.chain.node.status()).height)).toBeGreaterThan(signed?.timeoutHeight ?? 1_000n);
  const late = await one.chain.node.broadcast(signed?.bytes ?? new Uint8Array());
  expect(late).toMatchObject({ codespace: 'sdk', code: 30 });
});

it('says nothing of where the node is', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const away = () => Promise.reject(new ClientError('unreachable', 'http://10.0.0.7 does not answer'));
  const unanswered = { code: 'unavailable', message: 'the chain does not answer' };
  expect(await failure(senderOf(one, { query: away }).send(paying(receiver(0))))).toMatchObject(unanswered);
  const lost = senderOf(one, { broadcast: away });
  expect(await failure(lost.send(paying(receiver(0), { timeoutBlocks: 3 })))).toMatchObject({
    message: expect.not.stringContaining('10.0.0.7'),
  });
});

it('does not know the fate while the node is away, and finds the tx when told of it', async () => {
  const one = await devnetChain();
  one.devnet.start();
  let isAway = false;
  const away = () => Promise.reject(new ClientError('unreachable', 'the node is away'));
  const sender = senderOf(
    one,
    {
      async broadcast(bytes) {
        isAway = true;
        return one.chain.node.broadcast(bytes);
      },
      status: () => (isAway ? away() : one.chain.node.status()),
    },
    { patienceMs: 200 },
  );
  const error = await failure(sender.send(paying(receiver(0))));
  expect(error).toBeInstanceOf(SenderUnknown);
  const { hash } = error instanceof SenderUnknown ? error.tx : { hash: '' };
  expect((await inclusionOf(one.chain.node, hash, 5_000)).code).toBe(0);
});

it('waits for room in a mempool that is full', async () => {
  const one = await devnetChain({ mempool: { maxTxs: 1, maxBytes: 1_000_000 } });
  one.devnet.start();
  const sender = senderOf(one);
  const sent = await Promise.all([0, 1, 2].map((i) => sender.send(paying(receiver(i)))));
  expect(sent.map(({ code }) => code)).toEqual([0, 0, 0]);
});

it('refuses before it signs: what a simulation refuses, too many at once, an account without coins', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const onSigned = () => Promise.reject(new Error('signed'));
  const huge = paying(receiver(0)).messages.map((message) => ({
    ...message,
    amount: [{ denom: 'uusd', amount: String(10n ** 30n) }],
  }));
  expect(await failure(senderOf(one).send(paying(receiver(0), { messages: huge, onSigned })))).toMatchObject({
    name: 'ChainError',
  });
  const narrow = senderOf(one, {}, { maxInFlight: 1 });
  const [, second] = await Promise.all([
    narrow.send(paying(receiver(0))),
    failure(narrow.send(paying(receiver(1), { onSigned }))),
  ]);
  expect(second).toMatchObject({ code: 'unavailable' });
  const poor = senderOf(one, {}, { key: keyFromSeed('secp256k1', 'nobody') });
  expect(await failure(poor.send(paying(receiver(0), { onSigned })))).toMatchObject({ code: 'unavailable' });
});

it.each([
  [9, { code: 0 }],
  [10, { code: 'unavailable' }],
])(
  'simulates again when blocks take the sequence meanwhile, which is no word on its messages: %i times',
  async (times, expected) => {
    const one = await devnetChain();
    one.devnet.start();
    let lost = 0;
    const sender = senderOf(one, {
      async query(path, data) {
        const answer = await one.chain.node.query(path, data);
        if (!path.endsWith('/Simulate') || lost >= times) return answer;
        lost += 1;
        return { ...answer, codespace: 'sdk', code: 32, log: 'account sequence mismatch, expected 5, got 4' };
      },
    });
    const sent = sender.send(paying(receiver(0))).catch((error: unknown) => error);
    expect(await sent).toMatchObject(expected);
    expect(lost).toBe(times);
  },
);

it('broadcasts nothing when what it signed could not be written down', async () => {
  const one = await devnetChain();
  one.devnet.start();
  const sender = senderOf(one);
  const onSigned = () => Promise.reject(new Error('the disk is full'));
  expect(await failure(sender.send(paying(receiver(0), { onSigned })))).toMatchObject({
    message: 'the disk is full',
  });
  expect((await sender.send(paying(receiver(1)))).code).toBe(0);
  expect(await one.balance(receiver(0), 'uusd')).toBe(0n);
});
