import { once } from 'node:events';
import { createServer } from 'node:http';
import { MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import type { FastifyInstance } from 'fastify';
import { genesisContracts } from 'strata-devnet/modules/evm/genesis';
import { ChainError } from 'strata-kit/chain-error';
import { ClientError } from 'strata-kit/client/errors';
import { bech32Of, evmAddressOf, randomKey } from 'strata-kit/client/keys';
import { connectNode } from 'strata-kit/client/node';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestSigner, testSigner } from '../../../devnet/test/support/signer.ts';
import { inclusionOf } from '../../../test/support/inclusion.ts';
import { type AccessOptions, accessPart } from '../../src/access/part.ts';
import { createApp } from '../../src/app.ts';
import { AppError } from '../../src/errors.ts';
import { createSender } from '../../src/sender/sender.ts';
import { type Sender, SenderUnknown } from '../../src/sender.ts';
import { silent, startTestChain, type TestChain } from './support/test-chain.ts';

/** What pages need of the chain, on a chain: its facts, coins, a signed tx, a query. */

let chain: TestChain;
let server: FastifyInstance;
let alice: TestSigner;
let faucet: Sender;
const ending = new AbortController();

beforeAll(async () => {
  chain = await startTestChain();
  const key = chain.settings.faucetKey ?? randomKey('secp256k1');
  faucet = createSender({ chain: chain.chain, key, clock: systemClock, signal: ending.signal });
  server = await serve({ faucet });
  alice = await testSigner(9);
});
afterAll(async () => {
  ending.abort();
  await chain.close();
});

function serve(options: Partial<AccessOptions>): Promise<FastifyInstance> {
  const part = accessPart({ chain: chain.chain, faucet: undefined, ...options });
  return createApp([part], { log: silent, trustedProxies: 1 });
}

async function post(url: string, payload: object, { from = '10.0.0.1', to = server } = {}) {
  const answer = await to.inject({ method: 'POST', url, payload, headers: { 'x-forwarded-for': from } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

async function query(path: string, data: Uint8Array | string = '', to = server) {
  const hex = typeof data === 'string' ? data : Buffer.from(data).toString('hex');
  const answer = await to.inject({ url: `/api/chain/query?path=${encodeURIComponent(path)}&data=${hex}` });
  return { status: answer.statusCode, body: answer.json() };
}

describe('GET /api/chain', () => {
  it('tells what the node and the configuration say', async () => {
    const answer = await server.inject({ url: '/api/chain' });
    const { factory, router, stable, wrappedNative } = genesisContracts(chain.devnet.parameters);
    expect(answer.json()).toEqual({
      chain_id: 'aeva_9111-1',
      evm_chain_id: String(chain.devnet.parameters.evmChainId),
      hrp: 'aeva',
      namespace: 'aeva',
      gas_denom: 'aaeva',
      gas_decimals: 18,
      gas_symbol: 'AEVA',
      stable_denom: 'uusd',
      stable_decimals: 6,
      stable_symbol: 'USD',
      min_gas_price: '1000000000',
      evm_rpc_url: 'http://127.0.0.1:8545',
      contracts: { factory, router, stable, wrapped_native: wrappedNative },
      names: expect.arrayContaining([
        { address: faucet.address, name: 'Faucet' },
        { address: expect.stringMatching(/^aeva1/), name: 'Desk' },
        { address: expect.stringMatching(/^aeva1/), name: 'Service' },
      ]),
    });
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('POST /api/faucet', () => {
  it('pays 1 native and 100 stable coins, and tells the block that holds the tx', async () => {
    const answer = await post('/api/faucet', { address: alice.address });
    expect(answer.body).toEqual({
      tx_hash: expect.stringMatching(/^[0-9A-F]{64}$/),
      height: expect.any(Number),
      coins: [
        { denom: 'aaeva', amount: '1000000000000000000' },
        { denom: 'uusd', amount: '100000000' },
      ],
    });
    const { balances } = await chain.chain.query('/cosmos.bank.v1beta1.Query/AllBalances', {
      address: alice.address,
    });
    expect(balances).toEqual(answer.body.coins);
  });

  it.each([['EIP-55'], ['lower case']])('takes an Ethereum address in %s', async (form) => {
    const key = randomKey('eth_secp256k1');
    const address = form === 'EIP-55' ? evmAddressOf(key) : evmAddressOf(key).toLowerCase();
    expect((await post('/api/faucet', { address })).status).toBe(200);
    const { balance } = await chain.chain.query('/cosmos.bank.v1beta1.Query/Balance', {
      address: bech32Of('aeva', key),
      denom: 'uusd',
    });
    expect(balance).toEqual({ denom: 'uusd', amount: '100000000' });
  });

  it.each([
    [{}],
    [{ address: 7 }],
    [{ address: 'aeva1qqq' }],
    [{ address: 'cosmos1zcjduepqxzjf8d8lpkpq7l5mj0vt3akd9' }],
    [{ address: '0x96879E8F6E6d160E3f24706772bBb9c0471b6d76' }],
    [{ address: '0x', more: 1 }],
    [{ address: 'a'.repeat(101) }],
  ])('refuses %j', async (body) => {
    const answer = await post('/api/faucet', body, { from: '10.0.0.2' });
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request']);
  });

  const signed = {
    ...{ hash: 'A'.repeat(64), bytes: new Uint8Array(), sequence: 0n },
    ...{ timeoutHeight: 9n, signedHeight: 1 },
  };
  const paid = { hash: 'A'.repeat(64), height: 7, codespace: '', code: 0, log: '', events: [] };

  it('gives an account five times in ten minutes, and a client twenty', async () => {
    const to = await serve({ faucet: { address: 'aeva1faucet', send: async () => paid } });
    const address = evmAddressOf(randomKey('eth_secp256k1'));
    const same = [];
    // the account's limit counts both ways of writing it, from wherever it is asked
    for (let i = 0; i < 6; i++) {
      const written = i % 2 === 0 ? address : address.toLowerCase();
      same.push(await post('/api/faucet', { address: written }, { to, from: `10.1.0.${i}` }));
    }
    expect(same.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429]);
    expect(same[5]?.body).toEqual({ error: expect.stringContaining('at most 5'), code: 'too_many_requests' });
    expect(Number(same[5]?.headers['retry-after'])).toBeGreaterThan(590);
    const others = [];
    for (let i = 0; i < 21; i++) {
      const body = { address: evmAddressOf(randomKey('eth_secp256k1')) };
      others.push((await post('/api/faucet', body, { to, from: `2001:db8:0:7::${i.toString(16)}` })).status);
    }
    expect(others.filter((status) => status === 200)).toHaveLength(20);
    expect(others[20]).toBe(429);
  });

  it('pays once for one request id, also when the answer was lost and others ask meanwhile', async () => {
    const who = randomKey('eth_secp256k1');
    let count = 0;
    let go: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    const send = async () => {
      count += 1;
      await held;
      return { ...paid, hash: String(count).repeat(64) };
    };
    const to = await serve({ faucet: { address: 'aeva1faucet', send }, faucetWaitMs: 50 });
    const address = bech32Of('aeva', who);
    const body = { address, request_id: 'asked-once' };
    // no answer in time, twice at once, and by another form of the address
    const lost = await Promise.all([
      post('/api/faucet', body, { to }),
      post('/api/faucet', { ...body, address: evmAddressOf(who) }, { to }),
      post('/api/faucet', { address }, { to }),
    ]);
    expect(lost.map(({ status }) => status)).toEqual([503, 503, 503]);
    go();
    const again = await Promise.all([0, 1, 2, 3, 4, 5].map(() => post('/api/faucet', body, { to })));
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(new Set(again.map((answer) => answer.body.tx_hash))).toEqual(new Set(['1'.repeat(64)]));
    expect(count).toBe(1);
    const others = { ...body, address: evmAddressOf(randomKey('eth_secp256k1')) };
    expect((await post('/api/faucet', others, { to })).status).toBe(400);
    expect((await post('/api/faucet', { ...body, request_id: 'asked-twice' }, { to })).status).toBe(200);
    expect(count).toBe(2);
  });

  it('pays nothing more to an account before it is certain what became of an earlier payment', async () => {
    // a sequence and a height that the chain does not reach here
    const unknown = { ...signed, sequence: 10n ** 9n, timeoutHeight: 10n ** 9n };
    let count = 0;
    const send = () => {
      count += 1;
      return Promise.reject(new SenderUnknown(unknown, 'lost'));
    };
    const to = await serve({ faucet: { address: faucet.address, send } });
    for (let i = 0; i < 7; i++) {
      expect((await post('/api/faucet', { address: alice.address }, { to })).status).toBe(503);
    }
    expect(count).toBe(1);
  });

  it('goes on when undecided payments of accounts that never ask again are decided', async () => {
    const unknown = { ...signed, sequence: 10n ** 9n, timeoutHeight: 10n ** 9n };
    const hashOf = (n: number) => n.toString(16).toUpperCase().padStart(64, '0');
    const decided = new Set<string>();
    let looks = 0;
    let count = 0;
    const node = {
      ...chain.chain.node,
      status: () => {
        looks += 1;
        return chain.chain.node.status();
      },
      tx: async (hash: string) =>
        decided.has(hash) ? { ...paid, hash, gasWanted: 1n, gasUsed: 1n } : undefined,
    };
    const send = async () => {
      count += 1;
      if (count <= 64) throw new SenderUnknown({ ...unknown, hash: hashOf(count) }, 'lost');
      return paid;
    };
    const to = await serve({
      chain: { ...chain.chain, node },
      faucet: { address: faucet.address, send },
    });
    let clients = 0;
    const askAs = (address: string, request_id: string) => {
      clients += 1;
      return post('/api/faucet', { address, request_id }, { to, from: `10.9.0.${clients}` });
    };
    const somebody = () => evmAddressOf(randomKey('eth_secp256k1'));
    const [first, last] = [somebody(), somebody()];
    expect((await askAs(first, 'request-first')).status).toBe(503);
    for (let i = 0; i < 62; i++) await askAs(somebody(), `request-${i}`);
    expect((await askAs(last, 'request-last')).status).toBe(503);
    looks = 0;
    expect((await askAs(somebody(), 'request-full')).status).toBe(503);
    expect([count, looks]).toEqual([64, 4]);
    // the last one is in a block: it makes room, and those that are undecided stay
    decided.add(hashOf(64));
    const statuses = [];
    for (let i = 0; i < 16; i++) statuses.push((await askAs(somebody(), `request-new-${i}`)).status);
    expect(statuses).toContain(200);
    const before = count;
    expect((await askAs(first, 'request-first')).status).toBe(503);
    // whoever heard nothing hears of that payment, and gets no second one
    expect(await askAs(last, 'request-last')).toMatchObject({ status: 200, body: { tx_hash: hashOf(64) } });
    expect(count).toBe(before);
  });

  it('answers a request id that was paid also when its client has no request left', async () => {
    const to = await serve({ faucet: { address: 'aeva1faucet', send: async () => paid } });
    const body = { address: evmAddressOf(randomKey('eth_secp256k1')), request_id: 'heard-nothing' };
    expect((await post('/api/faucet', body, { to })).status).toBe(200);
    for (let i = 0; i < 20; i++) {
      const address = evmAddressOf(randomKey('eth_secp256k1'));
      await post('/api/faucet', { address }, { to });
    }
    const spent = await post('/api/faucet', { ...body, request_id: 'another-one' }, { to });
    expect(spent.status).toBe(429);
    const again = await post('/api/faucet', body, { to });
    expect([again.status, again.body.tx_hash]).toEqual([200, paid.hash]);
  });

  it('lets a client ask 60 times for a payment that is not decided, beside its own requests', async () => {
    const send = () =>
      Promise.reject(new SenderUnknown({ ...signed, sequence: 10n ** 9n, timeoutHeight: 10n ** 9n }, 'lost'));
    const to = await serve({ faucet: { address: faucet.address, send } });
    const body = { address: alice.address, request_id: 'not-decided' };
    const statuses = [];
    for (let i = 0; i < 62; i++) statuses.push((await post('/api/faucet', body, { to })).status);
    expect(new Set(statuses.slice(0, 61))).toEqual(new Set([503]));
    expect(statuses[61]).toBe(429);
  });

  it.each([
    ['a simulation that fails', () => Promise.reject(new ChainError('bank', 4, 'spendable is 0')), 409],
    ['a tx that fails', async () => ({ ...paid, code: 5, log: 'insufficient funds' }), 409],
    ['no block', () => new Promise<never>(() => undefined), 503],
    ['a tx of which nothing is known', () => Promise.reject(new SenderUnknown(signed, 'lost')), 503],
    ['too many txs on their way', () => Promise.reject(new AppError('unavailable', 'later')), 503],
  ] as const)('tells %s', async (_, send, status) => {
    const to = await serve({ faucet: { address: 'aeva1faucet', send }, faucetWaitMs: 50 });
    const answer = await post('/api/faucet', { address: alice.address }, { to });
    expect(answer.status).toBe(status);
    expect(answer.body.code).toBe(status === 409 ? 'conflict' : 'unavailable');
  });

  it('is not there without a key', async () => {
    const answer = await post('/api/faucet', { address: alice.address }, { to: await serve({}) });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
  });
});

describe('POST /api/chain/broadcast', () => {
  const send = (amount: string) => [
    {
      typeUrl: '/cosmos.bank.v1beta1.MsgSend',
      value: MsgSend.fromPartial({
        fromAddress: alice.address,
        toAddress: alice.address,
        amount: [{ denom: 'uusd', amount }],
      }),
    },
  ];
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');

  it('brings a tx that cosmjs signed into a block', async () => {
    const tx = base64(await alice.sign(chain.devnet, send('5')));
    const answer = await post('/api/chain/broadcast', { tx });
    expect(answer).toMatchObject({ status: 200, body: { code: 0, codespace: '', log: '' } });
    const included = await inclusionOf(chain.chain.node, answer.body.hash, 5_000);
    expect(included.code).toBe(0);
    expect((await post('/api/chain/broadcast', { tx })).body).toEqual({
      hash: answer.body.hash,
      code: 19,
      codespace: 'sdk',
      log: 'tx already in mempool',
    });
  });

  it('tells what the mempool says of a tx', async () => {
    const tx = base64(await alice.sign(chain.devnet, send('5'), { chainId: 'other-1' }));
    const answer = await post('/api/chain/broadcast', { tx });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      code: 4,
      codespace: 'sdk',
      log: expect.stringContaining('chain-id'),
    });
  });

  it.each([
    [{}, 400, 'bad_request'],
    [{ tx: '?' }, 400, 'bad_request'],
    [{ tx: 'AAAA====' }, 400, 'bad_request'],
    [{ tx: 'AAAA', mode: 'sync' }, 400, 'bad_request'],
    [{ tx: 'A'.repeat(100_000) }, 413, 'payload_too_large'],
  ])('refuses %j', async (body, status, code) => {
    const answer = await post('/api/chain/broadcast', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it('lets a client send 60 a minute', async () => {
    const to = await serve({});
    const statuses = [];
    for (let i = 0; i < 61; i++) {
      statuses.push((await post('/api/chain/broadcast', { tx: 'AAAA' }, { to, from: '10.3.0.1' })).status);
    }
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([200]));
    expect(statuses[60]).toBe(429);
    expect((await post('/api/chain/broadcast', { tx: 'AAAA' }, { to, from: '10.3.0.2' })).status).toBe(200);
  });
});

describe('GET /api/chain/query', () => {
  it('answers as the node does', async () => {
    const { codec } = chain.chain;
    const request = codec.encode('/cosmos.bank.v1beta1.QueryBalanceRequest', {
      address: faucet.address,
      denom: 'uusd',
    });
    const { status, body } = await query('/cosmos.bank.v1beta1.Query/Balance', request);
    expect({ status, body }).toMatchObject({ status: 200, body: { code: 0, codespace: '', log: '' } });
    expect(body.height).toBeGreaterThan(0);
    const value = Buffer.from(body.value, 'base64');
    expect(codec.decode('/cosmos.bank.v1beta1.QueryBalanceResponse', value)).toMatchObject({
      balance: { denom: 'uusd', amount: expect.stringMatching(/^\d+$/) },
    });
  });

  it('tells a refusal of the chain as an answer', async () => {
    const { codec } = chain.chain;
    const nobody = codec.encode('/cosmos.auth.v1beta1.QueryAccountRequest', {
      address: bech32Of('aeva', randomKey('secp256k1')),
    });
    expect(await query('/cosmos.auth.v1beta1.Query/Account', nobody)).toMatchObject({
      status: 200,
      body: { code: 22, codespace: 'sdk', log: expect.stringContaining('not found'), value: '' },
    });
  });

  it('simulates a tx of 6 KiB', async () => {
    const tx = await alice.sign(chain.devnet, [], { memo: 'm'.repeat(5_900) });
    const { status, body } = await query(
      '/cosmos.tx.v1beta1.Service/Simulate',
      chain.chain.codec.encode('/cosmos.tx.v1beta1.SimulateRequest', {
        tx_bytes: Buffer.from(tx).toString('base64'),
      }),
    );
    expect([status, body.code]).toEqual([200, 18]);
  });

  it.each([
    ['/cosmos.auth.v1beta1.Query/ModuleAccounts', ''],
    ['/app/simulate', ''],
    ['', ''],
    ['/cosmos.bank.v1beta1.Query/Balance', 'abc'],
    ['/cosmos.bank.v1beta1.Query/Balance', '0x00'],
    ['/cosmos.bank.v1beta1.Query/Balance', '00'.repeat(6_145)],
  ])('refuses %s %.10s', async (path, data) => {
    const { status, body } = await query(path, data);
    expect([status, body.code]).toEqual([400, 'bad_request']);
  });

  it.each([
    ['a JSON-RPC error -32005', 200, { error: { code: -32_005, message: 'Busy', data: 'too many wait' } }],
    ['HTTP 429', 429, {}],
  ])('passes on that the node is busy, by %s', async (_, status, body) => {
    const busy = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const address = busy.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const to = await serve({ chain: { ...chain.chain, node: connectNode(`http://127.0.0.1:${port}`) } });
    const asked = await to.inject({ url: '/api/chain/query?path=/cosmos.bank.v1beta1.Query/Balance' });
    const sent = await post('/api/chain/broadcast', { tx: 'AAAA' }, { to });
    busy.close();
    expect([asked.statusCode, asked.json().code]).toEqual([429, 'too_many_requests']);
    expect([asked.headers['retry-after'], sent.headers['retry-after']]).toEqual(['1', '1']);
    expect([sent.status, sent.body.code]).toEqual([429, 'too_many_requests']);
  });

  it('says that the chain does not answer', async () => {
    const dead = {
      ...chain.chain.node,
      query: () => Promise.reject(new ClientError('unreachable', 'http://secret')),
    };
    const to = await serve({ chain: { ...chain.chain, node: dead } });
    const { status, body } = await query('/cosmos.bank.v1beta1.Query/Balance', '', to);
    expect([status, body]).toEqual([503, { error: 'the chain does not answer', code: 'unavailable' }]);
  });
});
