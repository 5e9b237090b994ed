import { connect } from 'node:net';
import { Comet38Client, HttpBatchClient, Tendermint37Client } from '@cosmjs/tendermint-rpc';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RecordedAnswer, recorded, recordedAnswers } from '../../../test/chain/fixture.ts';
import { txHash } from '../../src/comet/hashes.ts';
import type { CheckResult } from '../../src/comet/types.ts';
import { startRpc } from '../../src/rpc/server.ts';
import {
  openRecordedChain,
  type RecordedChain,
  type RecordedChainOptions,
  recordedBlocks,
} from './recorded-chain.ts';

interface Running {
  readonly chain: RecordedChain;
  readonly rpc: RpcServer;
  readonly errors: unknown[];
}

const running: RpcServer[] = [];

type StartOptions = RecordedChainOptions & { commitTimeoutMs?: number; maxAnswerBytes?: number };

async function start(options: StartOptions = {}): Promise<Running> {
  const chain = openRecordedChain(options);
  const errors: unknown[] = [];
  const { commitTimeoutMs, maxAnswerBytes } = options;
  const rpc = await startRpc({
    chain,
    port: 0,
    onError: (error) => errors.push(error),
    ...(commitTimeoutMs === undefined ? {} : { commitTimeoutMs }),
    ...(maxAnswerBytes === undefined ? {} : { maxAnswerBytes }),
  });
  running.push(rpc);
  return { chain, rpc, errors };
}

/** What the recorded node says of a tx that is none. */
const NONSENSE: CheckResult = {
  hash: 'AE4B3280E56E2FAF83F414A6E3DABE9D5FBE18976544C05FED121ACCB85B53FC',
  code: 2,
  codespace: 'sdk',
  log: 'invalid length; proto: invalid field number: tx parse error: tx parse error',
  gasWanted: 0n,
  gasUsed: 0n,
};

let whole: Running;

beforeAll(async () => {
  whole = await start({
    addTx: async (tx) => {
      if (tx.length > 3) throw new Error('tx already exists in cache');
      return NONSENSE;
    },
  });
});

afterAll(async () => {
  await Promise.all(running.map((rpc) => rpc.close()));
});

/** Request bodies that the recording only describes. */
const DESCRIBED: Readonly<Record<string, string>> = {
  'batch of 10': headerBatch(10),
  'batch of 11': headerBatch(11),
  'over-long body': JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'broadcast_tx_sync',
    params: { tx: 'x'.repeat(1_500_000) },
  }),
};

/** Answers of an app that this chain has not, or of heights after its last. */
const NOT_HELD = new Set([
  'abci_query of a real path',
  'abci_query with broken data',
  'abci_query of a missing account',
  'no height: the latest',
  'unknown parameter',
  'REST (grpc-gateway)',
]);

function headerBatch(count: number): string {
  const calls = Array.from({ length: count }, (_, i) => {
    return `{"jsonrpc":"2.0","id":${i + 1},"method":"header","params":{"height":"${i + 1}"}}`;
  });
  return `[${calls.join(',')}]`;
}

/** The recorded node was 47 heights further, and a block's size is not recorded. */
function comparable(body: string): string {
  return body
    .replaceAll(/(current blockchain height |"last_height":")\d+/g, '$1HEAD')
    .replaceAll(/"height 5(49|50) must/g, '"height N must')
    .replaceAll(/"block_size":"\d+"/g, '"block_size":"N"');
}

async function ask(url: string, { request, label }: RecordedAnswer) {
  const { method = 'GET', path = '/', body } = request ?? {};
  const init =
    method === 'POST'
      ? { method, headers: { 'content-type': 'application/json' }, body: DESCRIBED[label] ?? body ?? '' }
      : { method };
  const response = await fetch(url + path, init);
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  };
}

async function post(rpc: RpcServer, method: string, params: unknown): Promise<Record<string, unknown>> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const response = await fetch(rpc.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return (await response.json()) as Record<string, unknown>;
}

async function get(rpc: RpcServer, path: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(rpc.url + path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('the RPC of the reference chain', () => {
  const answers = recordedAnswers().filter(
    ({ label, request }) => request?.method !== undefined && !NOT_HELD.has(label),
  );

  it.each(answers.map((answer) => [answer.label, answer] as const))(
    'answers as the recorded node did: %s',
    async (_, answer) => {
      const { status, contentType, body } = await ask(whole.rpc.url, answer);
      expect({ status, contentType }).toEqual({ status: answer.status, contentType: answer.content_type });
      expect(comparable(body)).toBe(comparable(answer.body as string));
    },
  );

  it('compares nearly all of what was recorded', () => {
    expect(answers.length).toBe(47);
  });

  it('prints a batch in the order and with the ids of the request', async () => {
    const calls = [31, 32].flatMap((height) => [
      { jsonrpc: '2.0', id: `b${height}`, method: 'block', params: { height: String(height) } },
      { jsonrpc: '2.0', id: height, method: 'block_results', params: { height: String(height) } },
    ]);
    const response = await fetch(whole.rpc.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls),
    });
    const expected = [31, 32].map((height) => {
      const { block, results } = recorded(height);
      return `{"jsonrpc":"2.0","id":"b${height}","result":${block}},{"jsonrpc":"2.0","id":${height},"result":${results}}`;
    });
    expect(await response.text()).toBe(`[${expected.join(',')}]`);
  });

  it('gives a request without an id no answer, and a batch of one an object', async () => {
    const call = { jsonrpc: '2.0', method: 'health', params: {} };
    const send = async (body: unknown) =>
      (
        await fetch(whole.rpc.url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        })
      ).text();
    expect(await send([call])).toBe('');
    expect(await send({ ...call, id: null })).toBe('');
    expect(await send([{ ...call, id: 4 }])).toBe('{"jsonrpc":"2.0","id":4,"result":{}}');
    expect(await send([{ ...call, id: 4 }, call])).toBe('{"jsonrpc":"2.0","id":4,"result":{}}');
  });

  it('refuses what is no request', async () => {
    const response = await fetch(whole.rpc.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":{},"method":"health"}',
    });
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ error: { code: -32700 } });
    expect(await post(whole.rpc, 'subscribe', { query: "tm.event='NewBlock'" })).toMatchObject({
      error: { code: -32601 },
    });
    expect(await get(whole.rpc, '/subscribe?query="x"')).toMatchObject({
      status: 404,
      body: { error: { code: -32601 } },
    });
    expect(await (await fetch(whole.rpc.url)).text()).toContain('<a href="/block?height=_">/block</a>');
  });

  it('tells of itself and of the chain', async () => {
    const { result } = await post(whole.rpc, 'status', {});
    expect(result).toMatchObject({
      node_info: { network: '9001', protocol_version: { p2p: '8', block: '11', app: '0' } },
      sync_info: {
        latest_block_height: '501',
        latest_block_hash: recordedBlocks()[500]?.id.hash,
        earliest_block_height: '1',
        earliest_block_hash: 'E39CE500B83707B9A514925AC279209A8C8A90073049440A576A0A45A71407E7',
        earliest_block_time: '2026-11-20T23:34:18.272599212Z',
        catching_up: false,
      },
      validator_info: { address: '24559DD62BDE352D1F1034A43A4A3EEFA336A34B', voting_power: '2268' },
    });
    expect(await post(whole.rpc, 'abci_info', {})).toMatchObject({
      result: {
        response: {
          version: 'v0.6.0',
          last_block_height: '501',
          last_block_app_hash: /"app_hash":"([^"]*)"\}$/.exec(recorded(501).results.toString('latin1'))?.[1],
        },
      },
    });
    expect(await post(whole.rpc, 'consensus_params', { height: '502' })).toMatchObject({
      result: { block_height: '502', consensus_params: { block: { max_gas: '40000000' } } },
    });
    const { chunk, total, data } = (await post(whole.rpc, 'genesis_chunked', { chunk: '0' })).result as {
      chunk: string;
      total: string;
      data: string;
    };
    expect([chunk, total]).toEqual(['0', '1']);
    const { genesis } = (await post(whole.rpc, 'genesis', null)).result as { genesis: unknown };
    expect(JSON.parse(Buffer.from(data, 'base64').toString('utf8'))).toEqual(genesis);
    expect(whole.errors).toEqual([]);
  });

  it('is asked by URL with texts, hex and numbers', async () => {
    const { id, header } = recordedBlocks()[4] as ReturnType<typeof recordedBlocks>[number];
    const byHash = await fetch(`${whole.rpc.url}/block_by_hash?hash=0x${id.hash.toLowerCase()}`);
    expect(await byHash.text()).toBe(`{"jsonrpc":"2.0","id":-1,"result":${recorded(5).block}}`);
    expect(await get(whole.rpc, `/header_by_hash?hash=0x${id.hash}`)).toMatchObject({
      body: { result: { header: { height: '5', app_hash: header.appHash } } },
    });
    expect(await get(whole.rpc, `/header_by_hash?hash=0x${'00'.repeat(32)}`)).toMatchObject({
      status: 200,
      body: { result: { header: null } },
    });
    expect(await get(whole.rpc, '/block_by_hash?hash="text"')).toMatchObject({
      body: { result: { block: null } },
    });
    expect(await get(whole.rpc, '/abci_query?path="/cosmos.auth.v1beta1.Query/Bech32Prefix"')).toMatchObject({
      body: { result: { response: { code: 0, value: 'CgZjb3Ntb3M=' } } },
    });
    expect(await get(whole.rpc, '/block?height=0x05')).toMatchObject({
      status: 500,
      body: { error: { code: -32602 } },
    });
    expect(await get(whole.rpc, '/tx?hash=0xABC')).toMatchObject({
      status: 500,
      body: {
        error: { data: 'error converting http params to arguments: encoding/hex: odd length hex string' },
      },
    });
  });

  it('finds txs by hash and height, of two blocks with one hash the successful one', async () => {
    const inBoth = recordedBlocks()[62]?.txs.find((tx) =>
      recordedBlocks()[60]?.txs.some((other) => txHash(other) === txHash(tx)),
    ) as Uint8Array;
    const hash = txHash(inBoth);
    const byHash = (await get(whole.rpc, `/tx?hash=0x${hash}`)).body.result;
    expect(byHash).toMatchObject({ hash, height: '63', tx_result: { code: 0 } });
    const search = async (query: string, rest: Record<string, unknown> = {}) =>
      (await post(whole.rpc, 'tx_search', { query, ...rest })).result as {
        txs: { height: string; index: number; hash: string }[];
        total_count: string;
      };
    expect(await search(`tx.hash='${hash.toLowerCase()}'`)).toEqual({ txs: [byHash], total_count: '1' });
    expect(await search(`tx.hash='${hash}' AND tx.height = 63`)).toMatchObject({ total_count: '1' });
    expect(await search(`tx.hash='${hash}' AND tx.height=61`)).toEqual({ txs: [], total_count: '0' });
    expect(await search('tx.height=9000')).toEqual({ txs: [], total_count: '0' });

    const busiest = recordedBlocks().reduce((a, b) => (b.txs.length > a.txs.length ? b : a));
    const { height } = busiest.header;
    expect(busiest.txs.length).toBe(110);
    const page = await search(`tx.height=${height}`, { page: '2', per_page: '100', order_by: 'asc' });
    expect([page.total_count, page.txs.map(({ index }) => index)]).toEqual([
      '110',
      [100, 101, 102, 103, 104, 105, 106, 107, 108, 109],
    ]);
    const last = await search(`tx.height=${height}`, { per_page: '1', order_by: 'desc' });
    expect(last.txs.map((tx) => [tx.index, tx.hash])).toEqual([
      [109, txHash(busiest.txs[109] as Uint8Array)],
    ]);
  });

  it.each([
    ["transfer.sender='x'", {}, 'this node searches by tx.height and tx.hash only, not by transfer.sender'],
    ['tx.height>5', {}, 'failed to parse query: this node knows = and AND only, not >'],
    ['nonsense', {}, 'failed to parse query: no condition at offset 0'],
    ['tx.height=1 OR tx.height=2', {}, 'failed to parse query: no AND at offset 12'],
    [`tx.hash='${'A'.repeat(600)}'`, {}, 'maximum query length exceeded'],
    ['tx.height=1', { page: '2' }, 'page should be within [1, 1] range, given 2'],
    ['tx.height=1', { order_by: 'up' }, 'expected order_by to be either `asc` or `desc` or empty'],
    ['tx.height=1', { prove: true }, 'this node gives no proofs'],
  ])('refuses the search %s %j', async (query, rest, data) => {
    expect(await post(whole.rpc, 'tx_search', { query, ...rest })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error', data },
    });
  });

  it('names the lowest height that it has', async () => {
    const { rpc } = await start({ earliest: 100, head: 200 });
    expect(await post(rpc, 'block', { height: '99' })).toMatchObject({
      error: { code: -32603, data: 'height 99 is not available, lowest height is 100' },
    });
    expect(await post(rpc, 'status', {})).toMatchObject({
      result: { sync_info: { earliest_block_height: '100', latest_block_height: '200' } },
    });
    const { result } = (await post(rpc, 'blockchain', { minHeight: '1', maxHeight: '102' })) as {
      result: { block_metas: { header: { height: string } }[] };
    };
    expect(result.block_metas.map(({ header }) => header.height)).toEqual(['102', '101', '100']);
  });

  it('keeps to itself what it did not foresee', async () => {
    const failure = new Error('/var/lib/chain/blocks: no space left');
    const { rpc, chain, errors } = await start({ head: 5 });
    chain.block = () => {
      throw failure;
    };
    expect(await post(rpc, 'block', { height: '3' })).toMatchObject({
      error: { code: -32603, message: 'Internal error', data: 'the node failed to answer; its log says why' },
    });
    expect(errors).toEqual([failure]);
  });

  it('answers before the first block', async () => {
    const { rpc } = await start({ head: 0 });
    expect(await post(rpc, 'status', {})).toMatchObject({
      result: {
        sync_info: {
          latest_block_height: '0',
          latest_block_hash: '',
          latest_block_time: '0001-01-01T00:00:00Z',
        },
      },
    });
    expect(await post(rpc, 'block', {})).toMatchObject({ result: { block: null } });
    expect(await post(rpc, 'block_results', {})).toMatchObject({
      error: { data: 'could not find results for height #0' },
    });
    expect(await post(rpc, 'abci_info', {})).toMatchObject({ result: { response: { version: 'v0.6.0' } } });
  });

  it('tells what waits in the mempool', async () => {
    const { rpc } = await start({ mempool: [Buffer.from('one'), Buffer.from('three')] });
    expect(await post(rpc, 'unconfirmed_txs', { limit: '1' })).toMatchObject({
      result: { n_txs: '1', total: '2', total_bytes: '8', txs: ['b25l'] },
    });
    expect(await post(rpc, 'num_unconfirmed_txs', {})).toMatchObject({
      result: { n_txs: '2', total: '2', total_bytes: '8', txs: null },
    });
  });

  it('prints a height anew that the chain has written anew', async () => {
    const { rpc, chain } = await start({ head: 10 });
    const timeOf = async (height: number) => {
      const { result } = (await post(rpc, 'block', { height: String(height) })) as {
        result: { block: { header: { time: string } } };
      };
      return result.block.header.time;
    };
    const before = await timeOf(10);
    const block = recordedBlocks()[9] as ReturnType<typeof recordedBlocks>[number];
    const rewritten = { ...block, header: { ...block.header, timeNs: 0n } };
    const read = chain.block;
    Object.assign(chain, { block: (height: number) => (height === 10 ? rewritten : read(height)) });
    expect(await timeOf(10)).toBe(before);
    chain.announce(rewritten);
    expect(await timeOf(10)).toBe('1970-01-01T00:00:00Z');
  });
});

describe('txs on their way', () => {
  const tx = recordedBlocks()[31]?.txs[0] as Uint8Array;
  const good: CheckResult = { hash: txHash(tx), code: 0, codespace: '', log: '', gasWanted: 7n, gasUsed: 5n };
  const params = { tx: Buffer.from(tx).toString('base64') };

  it('are answered with the check, at once, or when they stand in a block', async () => {
    const taken: Uint8Array[] = [];
    const { rpc, chain } = await start({
      head: 31,
      addTx: async (added) => {
        taken.push(added);
        return good;
      },
    });
    const accepted = { code: 0, data: '', log: '', codespace: '', hash: txHash(tx) };
    expect(await post(rpc, 'broadcast_tx_sync', params)).toEqual({ jsonrpc: '2.0', id: 1, result: accepted });
    expect(await post(rpc, 'broadcast_tx_async', params)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: accepted,
    });
    expect(await get(rpc, `/broadcast_tx_sync?tx=0x${Buffer.from(tx).toString('hex')}`)).toMatchObject({
      body: { result: accepted },
    });
    const committed = post(rpc, 'broadcast_tx_commit', params);
    await expect.poll(() => taken.length).toBe(4);
    chain.step();
    expect(await committed).toMatchObject({
      result: {
        hash: txHash(tx),
        height: '32',
        check_tx: { code: 0, gas_wanted: '7', events: [] },
        tx_result: JSON.parse(
          /"txs_results":\[(\{.*?"codespace":""\})/.exec(String(recorded(32).results))?.[1] ?? '',
        ),
      },
    });
    expect(taken.map((bytes) => Buffer.compare(bytes, tx))).toEqual([0, 0, 0, 0]);
  });

  it('are refused by the app with a code and by the mempool with an error', async () => {
    const { rpc, errors } = await start({
      addTx: async () => ({ ...good, code: 32, codespace: 'sdk', log: 'a < b' }),
    });
    expect(await post(rpc, 'broadcast_tx_commit', params)).toMatchObject({
      result: { check_tx: { code: 32, codespace: 'sdk', log: 'a < b' }, tx_result: { code: 0 }, height: '0' },
    });
    const known = await start({
      addTx: async () => ({ ...good, code: 19, codespace: 'sdk', log: 'tx already exists in cache' }),
    });
    expect(await post(known.rpc, 'broadcast_tx_sync', params)).toMatchObject({
      error: { code: -32603, data: 'tx already exists in cache' },
    });
    const full = await start({ addTx: () => Promise.reject(new Error('mempool is full')) });
    expect(await post(full.rpc, 'broadcast_tx_commit', params)).toMatchObject({
      error: { code: -32603, data: 'mempool is full' },
    });
    expect(await post(full.rpc, 'broadcast_tx_async', params)).toMatchObject({ result: { code: 0 } });
    await expect.poll(() => full.errors.length).toBe(1);
    expect(errors).toEqual([]);
  });

  it('are waited for no longer than the deadline, and by a hundred clients', async () => {
    const short = await start({ head: 31, addTx: async () => good, commitTimeoutMs: 20 });
    expect(await post(short.rpc, 'broadcast_tx_commit', params)).toMatchObject({
      error: { code: -32603, data: 'timed out waiting for tx to be included in a block' },
    });
    let taken = 0;
    const long = await start({
      head: 31,
      addTx: async () => {
        taken++;
        return good;
      },
    });
    const waiting = Array.from({ length: 100 }, () => post(long.rpc, 'broadcast_tx_commit', params));
    await expect.poll(() => taken).toBe(100);
    expect(await post(long.rpc, 'broadcast_tx_commit', params)).toMatchObject({
      error: { data: 'max_subscription_clients 100 reached' },
    });
    long.chain.step();
    const heights = (await Promise.all(waiting)).map(({ result }) => (result as { height: string }).height);
    expect(new Set(heights)).toEqual(new Set(['32']));
  });

  it('that are waited for at the end are answered', async () => {
    let taken = 0;
    const { rpc } = await start({
      head: 31,
      addTx: async () => {
        taken++;
        return good;
      },
    });
    const committed = post(rpc, 'broadcast_tx_commit', params);
    await expect.poll(() => taken).toBe(1);
    await rpc.close();
    expect(await committed).toMatchObject({ error: { data: 'the node is shutting down' } });
  });
});

describe('a client of another house', () => {
  it.each([
    ['Comet38Client', (url: string) => Comet38Client.connect(url)],
    ['Tendermint37Client', (url: string) => Tendermint37Client.connect(url)],
  ])('%s reads it over HTTP and over the websocket', async (_, connectTo) => {
    for (const url of [whole.rpc.url, whole.rpc.url.replace('http', 'ws')]) {
      const reader = await connectTo(url);
      expect((await reader.status()).syncInfo.latestBlockHeight).toBe(501);
      expect((await reader.block(333)).block.header.height).toBe(333);
      expect((await reader.blockResults(61)).results.map(({ code }) => code)).toEqual([0, 5]);
      expect((await reader.genesis()).chainId).toBe('9001');
      expect((await reader.validatorsAll()).total).toBe(1);
      expect((await reader.commit(100)).commit.signatures.length).toBe(1);
      const { blockMetas } = await reader.blockchain(10, 12);
      expect(blockMetas.map(({ header }) => header.height)).toEqual([12, 11, 10]);
      const { txs } = await reader.txSearchAll({ query: 'tx.height=61' });
      expect(txs.map(({ index }) => index)).toEqual([0, 1]);
      expect((await reader.tx({ hash: (txs[0] as { hash: Uint8Array }).hash })).height).toBe(61);
      expect((await reader.abciInfo()).lastBlockHeight).toBe(501);
      expect((await reader.numUnconfirmedTxs()).total).toBe(0);
      expect(await reader.health()).toBeNull();
      reader.disconnect();
    }
  });

  it('asks in batches', async () => {
    const reader = await Comet38Client.create(new HttpBatchClient(whole.rpc.url, { batchSizeLimit: 10 }));
    const blocks = await Promise.all([5, 6, 7].map((height) => reader.block(height)));
    expect(blocks.map(({ block }) => block.header.height)).toEqual([5, 6, 7]);
    reader.disconnect();
  });
});

describe('its connections', () => {
  it('listen on this machine alone unless told otherwise', () => {
    expect(whole.rpc.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('outlive what is no HTTP', async () => {
    const socket = connect(Number(new URL(whole.rpc.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write('nonsense\r\n\r\n');
    socket.resume();
    await closed;
    expect(await get(whole.rpc, '/health')).toMatchObject({ status: 200 });
    expect((await fetch(`${whole.rpc.url}//`)).status).toBe(404);
  });

  it('end when an address is taken', async () => {
    const { port } = new URL(whole.rpc.url);
    await expect(startRpc({ chain: openRecordedChain(), port: Number(port) })).rejects.toThrow('EADDRINUSE');
  });

  it('are bounded in number', async () => {
    const rpc = await startRpc({ chain: openRecordedChain(), port: 0, maxConnections: 2 });
    running.push(rpc);
    const dial = () => {
      const socket = connect(Number(new URL(rpc.url).port), '127.0.0.1');
      socket.on('error', () => {});
      return socket;
    };
    const held = [dial(), dial()];
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const third = dial();
    await new Promise((resolve) => third.once('close', resolve));
    const [first] = held;
    first?.write('GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(String(await new Promise((resolve) => first?.once('data', resolve)))).toContain('HTTP/1.1 200');
    for (const socket of held) socket.destroy();
  });

  it('have no more requests at work than are allowed, however they are sent', async () => {
    const never = () => new Promise<never>(() => {});
    const rpc = await startRpc({ chain: openRecordedChain({ addTx: never }), port: 0, maxRequests: 2 });
    running.push(rpc);
    const socket = connect(Number(new URL(rpc.url).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    // three without waiting for an answer: the third one is refused, and its answer comes after the others
    socket.write('GET /broadcast_tx_sync?tx=0x00 HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(3));
    await expect.poll(async () => (await fetch(`${rpc.url}/health`)).status).toBe(503);
    socket.destroy();
    await closed;
  });

  it('make the server hold no more bytes for slow readers than it may', async () => {
    // 16 MB as text: more than the system itself takes for a socket
    const { rpc } = await start({ mempool: [Buffer.alloc(12_000_000)], maxAnswerBytes: 20_000_000 });
    const slow = connect(Number(new URL(rpc.url).port), '127.0.0.1');
    slow.write('GET /unconfirmed_txs HTTP/1.1\r\nhost: localhost\r\n\r\n');
    await new Promise((resolve) => slow.once('readable', resolve));
    expect(await get(rpc, '/unconfirmed_txs')).toMatchObject({
      status: 429,
      body: { error: { code: -32005 } },
    });
    const batch = ['unconfirmed_txs', 'health'].map((method, id) => ({ jsonrpc: '2.0', id, method }));
    const answered = await fetch(rpc.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(batch),
    });
    expect(await answered.json()).toMatchObject([{ error: { code: -32005 } }, { result: {} }]);
    slow.destroy();
    await expect.poll(async () => (await get(rpc, '/unconfirmed_txs')).status).toBe(200);
  });

  it('leave no listener behind', async () => {
    const { rpc, chain } = await start();
    expect(chain.listeners.size).toBe(3);
    await rpc.close();
    expect(chain.listeners.size).toBe(0);
    await expect(fetch(`${rpc.url}/health`)).rejects.toThrow();
  });
});
