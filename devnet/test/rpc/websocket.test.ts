import { Comet38Client } from '@cosmjs/tendermint-rpc';
import type { RpcServer } from 'strata-kit/rpc/server';
import { SOCKET_LIMITS, type SocketLimits } from 'strata-kit/rpc/websocket';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { recorded } from '../../../test/chain/fixture.ts';
import { txHash } from '../../src/comet/hashes.ts';
import type { Block } from '../../src/comet/types.ts';
import { startRpc } from '../../src/rpc/server.ts';
import {
  openRecordedChain,
  type RecordedChain,
  type RecordedChainOptions,
  recordedBlocks,
} from './recorded-chain.ts';

const open: { close(): unknown }[] = [];

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

async function start(
  head: number,
  limits: Partial<SocketLimits> = {},
  options: RecordedChainOptions = {},
): Promise<{ chain: RecordedChain; rpc: RpcServer; url: string }> {
  const chain = openRecordedChain({ head, ...options });
  const rpc = await startRpc({ chain, port: 0, sockets: { ...SOCKET_LIMITS, ...limits } });
  open.push(rpc);
  return { chain, rpc, url: `${rpc.url.replace('http', 'ws')}/websocket` };
}

interface Talk {
  readonly socket: WebSocket;
  readonly messages: Record<string, unknown>[];
  readonly texts: string[];
  /** Sends a call, and waits for one message more. */
  call(method: string, params: unknown, id?: number | string): Promise<Record<string, unknown>>;
}

async function talk(url: string): Promise<Talk> {
  const socket = new WebSocket(url);
  open.push(socket);
  const messages: Record<string, unknown>[] = [];
  const texts: string[] = [];
  socket.on('message', (data) => {
    texts.push(String(data));
    messages.push(JSON.parse(String(data)) as Record<string, unknown>);
  });
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('open', resolve));
  return {
    socket,
    messages,
    texts,
    async call(method, params, id = 1) {
      const before = messages.length;
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      await expect.poll(() => messages.length).toBeGreaterThan(before);
      return messages[before] as Record<string, unknown>;
    },
  };
}

const NEW_BLOCK = { query: "tm.event='NewBlock'" };

describe('the websocket', () => {
  it('answers calls, with errors of its own kind for parameters', async () => {
    const { url } = await start(10);
    const { call, socket, messages, texts } = await talk(url);
    await call('block', { height: '5' }, 'x');
    expect(texts[0]).toBe(`{"jsonrpc":"2.0","id":"x","result":${recorded(5).block}}`);
    expect(await call('block', { height: 5 })).toMatchObject({
      error: { code: -32603, data: expect.stringContaining('error converting json params') },
    });
    expect(await call('nothing', {})).toMatchObject({ id: 1, error: { code: -32601 } });
    socket.send('{"jsonrpc":"2.0","method":"health"}');
    socket.send('[]');
    await expect.poll(() => messages.length).toBe(4);
    expect(messages[3]).toMatchObject({ error: { code: -32700 } });
    expect(messages[3]).not.toHaveProperty('id');
  });

  it('announces blocks to those who subscribed, until they leave', async () => {
    const { url, chain } = await start(31);
    const { call, messages, texts } = await talk(url);
    expect(await call('subscribe', NEW_BLOCK, 7)).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(await call('subscribe', { query: "tm.event = 'NewBlock'" }, 8)).toMatchObject({
      error: { code: -32603, data: 'already subscribed' },
    });
    chain.step();
    await expect.poll(() => messages.length).toBe(3);
    const { block, results } = recorded(32);
    const inner = /"block":(\{.*\})\}$/.exec(String(block))?.[1];
    const id = /^\{"block_id":(.*?),"block":/.exec(String(block))?.[1];
    expect(texts[2]).toContain(
      `{"jsonrpc":"2.0","id":7,"result":{"query":"tm.event='NewBlock'","data":{"type":"tendermint/event/NewBlock","value":{"block":${inner},"block_id":${id},"result_finalize_block":{"events":`,
    );
    const txResults = /"txs_results":(\[.*?\]),"finalize/.exec(String(results))?.[1];
    expect(texts[2]).toContain(`"tx_results":${txResults},"validator_updates":[]`);
    expect(messages[2]).toMatchObject({
      result: { events: { 'tm.event': ['NewBlock'], 'block_gas.height': ['32'] } },
    });

    expect(await call('unsubscribe', NEW_BLOCK)).toMatchObject({ result: {} });
    expect(await call('unsubscribe', NEW_BLOCK)).toMatchObject({ error: { data: 'subscription not found' } });
    chain.step();
    await call('health', {});
    expect(messages.length).toBe(6);
  });

  it('announces headers and txs, by what their events tell', async () => {
    const { url, chain } = await start(31);
    const { call, messages } = await talk(url);
    await call('subscribe', { query: "tm.event='NewBlockHeader'" }, 2);
    await call('subscribe', { query: "tm.event='Tx'" }, 3);
    const [tx] = (recordedBlocks()[31] as Block).txs as [Uint8Array];
    await call('subscribe', { query: `tm.event='Tx' AND tx.hash='${txHash(tx)}' AND tx.height=32` }, 4);
    await call('subscribe', { query: "tm.event='Tx' AND tx.height=33" }, 5);
    chain.step();
    await expect.poll(() => messages.length).toBe(11);
    // five txs
    expect(messages.slice(4).map(({ id }) => id)).toEqual([2, 3, 4, 3, 3, 3, 3]);
    expect(messages[4]).toMatchObject({ result: { data: { value: { header: { height: '32' } } } } });
    const result = JSON.parse(String(recorded(32).results)).txs_results[0] as Record<string, unknown>;
    const told = (messages[5] as { result: { data: { value: { TxResult: Record<string, unknown> } } } })
      .result.data.value.TxResult;
    expect(told).toEqual({
      height: '32',
      tx: Buffer.from(tx).toString('base64'),
      result: {
        data: result.data,
        gas_wanted: result.gas_wanted,
        gas_used: result.gas_used,
        events: result.events,
      },
    });
  });

  it('bounds subscriptions and refuses queries that it cannot serve', async () => {
    const { url } = await start(5);
    const { call } = await talk(url);
    expect(await call('subscribe', { query: "tm.event='Tx' AND a.b > 5" })).toMatchObject({
      error: { code: -32603, data: 'failed to parse query: this node knows = and AND only, not >' },
    });
    for (let i = 0; i < 5; i++) {
      expect(await call('subscribe', { query: `tm.event='Tx' AND a.b=${i}` })).toHaveProperty('result');
    }
    expect(await call('subscribe', NEW_BLOCK)).toMatchObject({
      error: { data: 'max_subscriptions_per_client 5 reached' },
    });
    expect(await call('unsubscribe', { query: "tm.event='Tx' AND a.b=1".padEnd(513) })).toMatchObject({
      error: { code: -32603, data: 'maximum query length exceeded' },
    });
    expect(await call('unsubscribe', { query: "tm.event='Tx' AND a.b=1".padEnd(512) })).toHaveProperty(
      'result',
    );
    expect(await call('subscribe', { query: "tm.event='Tx' AND a.b='x y'" })).toHaveProperty('result');
    expect(await call('unsubscribe', { query: "tm.event = 'Tx' AND a.b = 'xy'" })).toMatchObject({
      error: { data: 'subscription not found' },
    });
    expect(await call('unsubscribe_all', {})).toHaveProperty('result');
    expect(await call('unsubscribe_all', {})).toMatchObject({ error: { data: 'subscription not found' } });
    expect(await call('subscribe', NEW_BLOCK)).toHaveProperty('result');
  });

  it('bounds the clients that subscribe', async () => {
    const { url } = await start(5);
    const talks = await Promise.all(Array.from({ length: 101 }, () => talk(url)));
    const answers = await Promise.all(talks.map(({ call }) => call('subscribe', NEW_BLOCK)));
    const refused = answers.filter((answer) => 'error' in answer);
    expect(refused).toEqual([
      expect.objectContaining({
        error: expect.objectContaining({ data: 'max_subscription_clients 100 reached' }),
      }),
    ]);
  });

  it.each([
    ['for which too many bytes wait', { maxWaitingBytes: 1_000_000 }],
    [
      'for which most bytes wait once they are too many for all clients',
      { maxWaitingBytes: 1e9, maxHeldBytes: 1_000_000 },
    ],
  ])('drops a client %s, and no other', async (_, limits) => {
    const { url, chain } = await start(40, limits);
    const [slow, quick] = await Promise.all([talk(url), talk(url)]);
    await slow.call('subscribe', NEW_BLOCK);
    await quick.call('subscribe', NEW_BLOCK);
    const closed = new Promise((resolve) => slow.socket.on('close', resolve));
    slow.socket.pause();
    const block = chain.block(40) as NonNullable<ReturnType<typeof chain.block>>;
    // what the system itself holds for a socket is not bounded here: some megabytes
    for (let i = 1; i <= 400; i++) {
      chain.announce({ ...block, txs: [Buffer.alloc(100_000)], results: [] });
      await expect.poll(() => quick.messages.length, { interval: 1 }).toBe(1 + i);
      quick.messages.length = 1 + i;
      quick.texts.length = 0;
    }
    slow.socket.resume();
    await closed;
    expect(slow.messages.length).toBeLessThan(401);
    expect(quick.messages.length).toBe(401);
    expect(await quick.call('health', {})).toMatchObject({ result: {} });
  });

  it('drops a client that sends requests faster than they are answered', async () => {
    const { url } = await start(5);
    const { socket } = await talk(url);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    const health = '{"jsonrpc":"2.0","id":1,"method":"health"}';
    // one write, so that they come together
    for (let i = 0; i < 20_000; i++) socket.send(health);
    await closed;
  });

  it('drops a client whose requests have too many bytes', async () => {
    const never = { addTx: () => new Promise<never>(() => {}) };
    const { url } = await start(5, { maxRequestBytes: 1_500_000 }, never);
    const [quiet, loud] = await Promise.all([talk(url), talk(url)]);
    const closed = new Promise((resolve) => loud.socket.on('close', resolve));
    const params = { tx: Buffer.alloc(600_000).toString('base64') };
    for (let id = 0; id < 2; id++)
      loud.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method: 'broadcast_tx_sync', params }));
    await closed;
    expect(await quiet.call('health', {})).toMatchObject({ result: {} });
  });

  it('drops a client that gives no sign of life, and takes no message that is too long', async () => {
    const { url } = await start(5, { pingMs: 30 });
    const dead = new WebSocket(url, { autoPong: false });
    open.push(dead);
    await new Promise((resolve) => dead.once('close', resolve));
    const { socket, call } = await talk(url);
    expect(await call('health', {})).toHaveProperty('result');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.send('x'.repeat(1_000_001));
    expect(await closed).toBe(1009);
  });

  it('is refused when too many are open', async () => {
    const rpc = await startRpc({ chain: openRecordedChain({ head: 5 }), port: 0, maxSockets: 1 });
    open.push(rpc);
    const url = `${rpc.url.replace('http', 'ws')}/websocket`;
    await talk(url);
    const second = new WebSocket(url);
    const error = await new Promise<Error>((resolve) => second.once('error', resolve));
    expect(error.message).toContain('503');
  });

  it('stands at one path', async () => {
    const { url } = await start(5);
    const socket = new WebSocket(url.replace('/websocket', '/else'));
    const error = await new Promise<Error>((resolve) => socket.once('error', resolve));
    expect(error.message).toContain('404');
  });

  it('says goodbye at the end', async () => {
    const { url, rpc } = await start(5);
    const { socket } = await talk(url);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    await rpc.close();
    expect(await closed).toBe(1001);
  });

  it('serves the streams of a client of another house', async () => {
    const { url, chain } = await start(31);
    const client = await Comet38Client.connect(url.replace('/websocket', ''));
    const blocks: number[] = [];
    const txs: number[] = [];
    const heights: number[] = [];
    const done = [
      client.subscribeNewBlock().subscribe({ next: ({ header }) => blocks.push(header.height) }),
      client.subscribeNewBlockHeader().subscribe({ next: (event) => heights.push(event.height) }),
      client.subscribeTx().subscribe({ next: ({ height }) => txs.push(height) }),
    ];
    await client.status();
    chain.step();
    chain.step();
    await expect.poll(() => blocks).toEqual([32, 33]);
    await expect.poll(() => heights).toEqual([32, 33]);
    await expect.poll(() => txs).toEqual([32, 32, 32, 32, 32, 33, 33, 33, 33, 33]);
    for (const subscription of done) subscription.unsubscribe();
    client.disconnect();
  });
});
