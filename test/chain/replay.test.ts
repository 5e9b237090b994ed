import { createHash } from 'node:crypto';
import { Comet38Client } from '@cosmjs/tendermint-rpc';
import type { Clock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { FIXTURE, type RecordedAnswer, recorded, recordedAnswer, recordedAnswers } from './fixture.ts';

let capture: Capture;
let replay: Replay;

beforeAll(async () => {
  capture = await openCapture(FIXTURE);
  replay = await startReplay({ capture, host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  await replay.close();
  await capture.blocks.close();
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

/** Answers about what a capture does not hold: the application's state, or heights after its last. */
const NOT_HELD = new Set([
  'broadcast_tx_sync of nonsense',
  'broadcast_tx_sync of a tx already in the chain',
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

async function ask(
  answer: RecordedAnswer,
): Promise<{ status: number; contentType: string | null; body: string }> {
  const { method, path, body } = answer.request as NonNullable<RecordedAnswer['request']>;
  const init = method === 'POST' ? { method, body: DESCRIBED[answer.label] ?? body ?? '' } : { method };
  const response = await fetch(replay.url + path, init);
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    body: await response.text(),
  };
}

async function post(body: unknown): Promise<unknown> {
  const response = await fetch(replay.url, { method: 'POST', body: JSON.stringify(body) });
  return response.json();
}

describe('a replay', () => {
  const answers = recordedAnswers().filter(
    ({ label, request }) => request?.method !== undefined && !NOT_HELD.has(label),
  );

  it.each(answers.map((answer) => [answer.label, answer] as const))(
    'answers as the node did: %s',
    async (_, answer) => {
      const { status, contentType, body } = await ask(answer);
      expect({ status, contentType }).toEqual({ status: answer.status, contentType: answer.content_type });
      expect(comparable(body)).toBe(comparable(answer.body as string));
    },
  );

  it('compares nearly all of what was recorded', () => {
    expect(answers.length).toBe(45);
  });

  it('sends the recorded bytes in a batch, in the order and with the ids of the request', async () => {
    const calls = [61, 62].flatMap((height) => [
      { jsonrpc: '2.0', id: `b${height}`, method: 'block', params: { height: String(height) } },
      { jsonrpc: '2.0', id: height, method: 'block_results', params: { height: String(height) } },
    ]);
    const response = await fetch(replay.url, { method: 'POST', body: JSON.stringify(calls) });
    const expected = [61, 62].map((height) => {
      const { block, results } = recorded(height);
      return `{"jsonrpc":"2.0","id":"b${height}","result":${block}},{"jsonrpc":"2.0","id":${height},"result":${results}}`;
    });
    expect(await response.text()).toBe(`[${expected.join(',')}]`);
  });

  it('takes no request without an id, and answers a batch of one as one object', async () => {
    const call = { jsonrpc: '2.0', method: 'health', params: {} };
    expect(await (await fetch(replay.url, { method: 'POST', body: JSON.stringify([call]) })).text()).toBe('');
    expect(await post([{ ...call, id: 4 }])).toEqual({ jsonrpc: '2.0', id: 4, result: {} });
  });

  it('finds txs by hash, of two blocks with one hash the successful one', async () => {
    const { block } = JSON.parse(recorded(63).block.toString('utf8')) as {
      block: { data: { txs: string[] } };
    };
    const inBoth = block.data.txs.find((tx) => recorded(61).block.includes(tx)) as string;
    const hash = createHash('sha256').update(Buffer.from(inBoth, 'base64')).digest();
    const answer = (await (await fetch(`${replay.url}/tx?hash=0x${hash.toString('hex')}`)).json()) as {
      result: { height: string; tx: string; tx_result: { code: number } };
    };
    expect(answer.result).toMatchObject({ height: '63', tx: inBoth, tx_result: { code: 0 } });
  });

  it('serves a client of another house', async () => {
    const client = await Comet38Client.connect(replay.url);
    const status = await client.status();
    expect(status.nodeInfo.network).toBe('9001');
    expect(status.syncInfo.latestBlockHeight).toBe(501);
    const { block } = await client.block(333);
    expect(block.header.height).toBe(333);
    const results = await client.blockResults(61);
    expect(results.results.map((result) => result.code)).toEqual([0, 5]);
    const prefix = await client.abciQuery({
      path: '/cosmos.auth.v1beta1.Query/Bech32Prefix',
      data: new Uint8Array(),
    });
    expect(Buffer.from(prefix.value).toString()).toContain('cosmos');
    expect((await client.genesis()).chainId).toBe('9001');
    expect((await client.validatorsAll()).total).toBe(2);
    expect((await client.commit(100)).header.height).toBe(100);
    expect((await client.blockchain(10, 12)).blockMetas.map((meta) => meta.header.height)).toEqual([
      12, 11, 10,
    ]);
    client.disconnect();
  });
});

describe('a paced replay', () => {
  it('reveals one height after the other and announces each', async () => {
    const clock = steppedClock();
    const paced = await startReplay({ capture, host: '127.0.0.1', port: 0, paceMs: 1_000, clock });
    const socket = new WebSocket(`${paced.url.replace('http', 'ws')}/websocket`);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    await new Promise((resolve) => socket.once('open', resolve));
    const arrives = async (count: number) => expect.poll(() => messages.length).toBe(count);
    socket.send(
      recordedAnswer(
        "websocket subscribe tm.event='NewBlock': the answer to subscribe, then the first two messages pushed",
      ).request?.body as string,
    );
    await arrives(1);
    expect(messages[0]).toBe('{"jsonrpc":"2.0","id":7,"result":{}}');

    const heightOf = async () => {
      const status = (await (await fetch(`${paced.url}/status`)).json()) as {
        result: { sync_info: { latest_block_height: string } };
      };
      return status.result.sync_info.latest_block_height;
    };
    expect(await heightOf()).toBe('1');
    expect(await (await fetch(`${paced.url}/block?height=2`)).text()).toContain(
      'height 2 must be less than or equal to the current blockchain height 1',
    );
    await clock.step();
    await arrives(2);
    await clock.step();
    await arrives(3);
    expect(await heightOf()).toBe('3');
    const event = JSON.parse(messages[2] as string) as {
      id: number;
      result: {
        query: string;
        data: {
          type: string;
          value: { block: unknown; block_id: unknown; result_finalize_block: { events: unknown } };
        };
        events: Record<string, string[]>;
      };
    };
    const recordedBlock = JSON.parse(recorded(3).block.toString('utf8')) as {
      block: unknown;
      block_id: unknown;
    };
    expect(event.id).toBe(7);
    expect(event.result.data.type).toBe('tendermint/event/NewBlock');
    expect(event.result.data.value).toMatchObject(recordedBlock);
    expect(event.result.events['tm.event']).toEqual(['NewBlock']);

    socket.send('{"jsonrpc":"2.0","id":8,"method":"header","params":{"height":"2"}}');
    await arrives(4);
    expect(messages[3]).toMatch(/^\{"jsonrpc":"2.0","id":8,"result":\{"header":\{.*"height":"2"/);
    socket.close();
    await paced.close();
  });

  it('prints NewBlock with the members that the node has, in its order', async () => {
    const label =
      "websocket subscribe tm.event='NewBlock': the answer to subscribe, then the first two messages pushed";
    const { messages } = recordedAnswer(label) as unknown as { messages: string[] };
    const clock = steppedClock();
    const paced = await startReplay({ capture, host: '127.0.0.1', port: 0, paceMs: 1_000, clock });
    const socket = new WebSocket(`${paced.url.replace('http', 'ws')}/websocket`);
    await new Promise((resolve) => socket.once('open', resolve));
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    socket.send('{"jsonrpc":"2.0","id":7,"method":"subscribe","params":{"query":"tm.event=\'NewBlock\'"}}');
    await expect.poll(() => received.length).toBe(1);
    await clock.step();
    await expect.poll(() => received.length).toBe(2);
    const shape = (text: string) => {
      const { result } = JSON.parse(text) as {
        result: { data: { value: { block: object; result_finalize_block: object } } };
      };
      const { value } = result.data;
      return [result, result.data, value, value.block, value.result_finalize_block].map((part) =>
        Object.keys(part),
      );
    };
    expect(shape(received[1] as string)).toEqual(shape(messages[1] as string));
    socket.close();
    await paced.close();
  });
});

/** Time that passes only when a test says so. */
function steppedClock(): Clock & { step(): Promise<void> } {
  let wake: (() => void) | undefined;
  return {
    nowMs: () => 0,
    sleep: (_ms, signal) =>
      new Promise((resolve) => {
        wake = resolve;
        signal?.addEventListener('abort', () => resolve());
      }),
    step: async () => {
      await expect.poll(() => wake !== undefined).toBe(true);
      wake?.();
      wake = undefined;
    },
  };
}
