import { HeaderHasher } from 'strata-kit/block-hash';
import { openCodec } from 'strata-kit/codec/codec';
import { readHashedHeader } from 'strata-kit/hashed-header';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { commitHash } from '../../src/comet/hashes.ts';
import type { Block, Chain } from '../../src/comet/types.ts';
import { createSigner } from '../../src/comet/validator.ts';
import { withFaults } from '../../src/faults/faults.ts';
import { parseFaults } from '../../src/faults/names.ts';
import { startRpc } from '../../src/rpc/server.ts';
import { openRecordedChain, type RecordedChain, recordedBlocks } from '../rpc/recorded-chain.ts';

/** Faults that hide or replace blocks, from the outside, over the recorded chain. */

const open: { close(): unknown }[] = [];
const codec = openCodec({ namespace: 'aeva' });
const signer = createSigner(1);

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

interface BlockResult {
  readonly block_id: { readonly hash: string };
  readonly block: {
    readonly header: Record<string, unknown> & {
      readonly chain_id: string;
      readonly time: string;
      readonly last_commit_hash: string;
      readonly last_block_id: { readonly hash: string };
    };
    readonly data: { readonly txs: readonly string[] };
    readonly last_commit: {
      readonly height: string;
      readonly block_id: {
        readonly hash: string;
        readonly parts: { readonly total: number; readonly hash: string };
      };
      readonly signatures: readonly { readonly signature: string; readonly timestamp: string }[];
    };
  };
}

interface Outside {
  readonly chain: RecordedChain;
  /** The result of a call, or the reason of its refusal. */
  ask<T = unknown>(method: string, params?: Record<string, unknown>): Promise<T>;
  block(height: number): Promise<BlockResult>;
  head(): Promise<[earliest: number, latest: number, network: string]>;
  /** What NewBlock announces: heights and hashes. */
  announced(): Promise<string[]>;
  step(count?: number): void;
}

async function outside(head: number, ...faults: string[]): Promise<Outside> {
  const chain = openRecordedChain({ head });
  const rpc = await startRpc({ chain: withFaults(chain, parseFaults(faults), { signer, codec }), port: 0 });
  open.push(rpc);
  const ask = async <T>(method: string, params: Record<string, unknown> = {}): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = (await (
      await fetch(rpc.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json()) as {
      result?: T;
      error?: { data: string };
    };
    return (answer.result ?? answer.error?.data) as T;
  };
  const socket = new WebSocket(`${rpc.url.replace('http', 'ws')}/websocket`);
  open.push(socket);
  await new Promise((resolve) => socket.once('open', resolve));
  const heard: Record<string, unknown>[] = [];
  socket.on('message', (data) => heard.push(JSON.parse(String(data)) as Record<string, unknown>));
  const call = async (method: string, params: unknown) => {
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 'call', method, params }));
    await expect.poll(() => heard.at(-1)?.id).toBe('call');
    heard.pop();
  };
  socket.send('{"jsonrpc":"2.0","id":1,"method":"subscribe","params":{"query":"tm.event=\'NewBlock\'"}}');
  await expect.poll(() => heard.length).toBe(1);
  heard.length = 0;

  return {
    chain,
    ask,
    block: (height) => ask('block', { height: String(height) }),
    async head() {
      const { sync_info, node_info } = await ask<{
        sync_info: Record<string, string>;
        node_info: { network: string };
      }>('status');
      const { earliest_block_height, latest_block_height } = sync_info;
      return [Number(earliest_block_height), Number(latest_block_height), node_info.network];
    },
    async announced() {
      await call('health', {});
      return heard.splice(0).map((message) => {
        const { block, block_id } = (message as { result: { data: { value: BlockResult } } }).result.data
          .value;
        return `${String(block.header.height)} ${block_id.hash}`;
      });
    },
    step(count = 1) {
      for (let i = 0; i < count; i++) chain.step();
    },
  };
}

function original(height: number): { readonly hash: string; readonly time: string } {
  const block = recordedBlocks()[height - 1];
  if (block === undefined) throw new Error(`${height} is not recorded`);
  return { hash: block.id.hash, time: String(block.header.timeNs) };
}

const named = (height: number) => `${height} ${original(height).hash}`;

describe('without faults', () => {
  it('the chain is the chain itself', () => {
    const chain = openRecordedChain();
    expect(withFaults(chain, [], { signer, codec })).toBe(chain);
  });
});

describe('prune', () => {
  it('takes what is below its height away, once that is reached', async () => {
    const { ask, head, step } = await outside(39, 'prune@40');
    expect(await head()).toEqual([1, 39, '9001']);
    expect(await ask('block', { height: '5' })).toHaveProperty('block');
    step(2);
    expect(await head()).toEqual([40, 41, '9001']);
    for (const method of ['block', 'block_results', 'commit', 'header']) {
      expect(await ask(method, { height: '39' })).toBe('height 39 is not available, lowest height is 40');
    }
    expect(await ask('block', { height: '40' })).toHaveProperty('block_id.hash', original(40).hash);
    const hash = Buffer.from(original(39).hash, 'hex').toString('base64');
    expect(await ask('block_by_hash', { hash })).toHaveProperty('block', null);
    expect(await ask('tx_search', { query: 'tx.height=35' })).toEqual({ txs: [], total_count: '0' });
    const query = { path: '/cosmos.auth.v1beta1.Query/Bech32Prefix', data: '' };
    expect(await ask('abci_query', { ...query, height: '39' })).toMatchObject({
      response: {
        code: 18,
        log: expect.stringContaining('failed to load state at height 39; version does not exist'),
      },
    });
    expect(await ask('abci_query', { ...query, height: '0' })).toMatchObject({ response: { code: 0 } });
  });

  it('keeps the newest hundred when no height is given', async () => {
    const { head, step } = await outside(100, 'prune');
    expect(await head()).toEqual([1, 100, '9001']);
    step(3);
    expect(await head()).toEqual([4, 103, '9001']);
  });
});

describe('halt', () => {
  it('ends the chain at its height', async () => {
    const { ask, head, step, announced } = await outside(31, 'halt@33');
    step(5);
    expect(await head()).toEqual([1, 33, '9001']);
    expect(await announced()).toEqual([named(32), named(33)]);
    expect(await ask('block', { height: '34' })).toBe(
      'height 34 must be less than or equal to the current blockchain height 33',
    );
    expect(await ask('tx_search', { query: 'tx.height=34' })).toMatchObject({ total_count: '0' });
    expect(await ask('abci_query', { path: '/x', data: '', height: '34' })).toMatchObject({
      response: { code: 26 },
    });
    expect(await ask('commit', { height: '33' })).toMatchObject({ canonical: false });
  });
});

describe('lag', () => {
  it('shows three blocks less than there are, and announces them as late', async () => {
    const { ask, head, step, announced } = await outside(31, 'lag');
    expect(await head()).toEqual([1, 28, '9001']);
    step();
    expect(await head()).toEqual([1, 29, '9001']);
    expect(await announced()).toEqual([named(29)]);
    expect(await ask('block_results', { height: '30' })).toContain('current blockchain height 29');
  });

  it('falls behind from its height on, and never goes back', async () => {
    const { head, step, announced } = await outside(30, 'lag@32');
    const heads: number[] = [];
    for (let i = 0; i < 6; i++) {
      step();
      heads.push((await head())[1]);
    }
    // 31 to 36 were produced
    expect(heads).toEqual([31, 31, 31, 31, 32, 33]);
    expect(await announced()).toEqual([named(31), named(32), named(33)]);
  });
});

describe('fork', () => {
  it('writes a block anew when five stand on it, with all that follow', async () => {
    const { block, head, step, announced, ask } = await outside(30, 'fork@32');
    step(6);
    expect((await block(32)).block_id.hash).toBe(original(32).hash);
    expect(await announced()).toEqual([31, 32, 33, 34, 35, 36].map(named));
    step();
    expect(await head()).toEqual([1, 37, '9001']);
    expect((await block(31)).block_id.hash).toBe(original(31).hash);
    const others = await Promise.all([32, 33, 34, 35, 36, 37].map(block));
    const hashes = others.map(({ block_id }) => block_id.hash);
    expect(await announced()).toEqual(hashes.map((hash, i) => `${32 + i} ${hash}`));
    for (const [i, other] of others.entries()) {
      expect(hashes[i]).not.toBe(original(32 + i).hash);
      expect(other.block.header.last_block_id.hash).toBe(i === 0 ? original(31).hash : hashes[i - 1]);
      expectWhole(other);
    }
    expect(others[0]?.block.data.txs.length).toBe(5);
    expect(others[0]?.block.header.time).not.toBe((await block(31)).block.header.time);
    // the results are the same, and each block is found by its own hash alone
    expect(await ask('block_by_hash', { hash: base64(hashes[2]) })).toHaveProperty(
      'block.header.height',
      '34',
    );
    expect(await ask('block_by_hash', { hash: base64(original(34).hash) })).toHaveProperty('block', null);
    expect(await ask('commit', { height: '31' })).toHaveProperty(
      'signed_header.commit.signatures.0.timestamp',
      others[0]?.block.header.time,
    );
    step();
    const next = await block(38);
    expect(next.block.header.last_block_id.hash).toBe(hashes[5]);
    expect(await announced()).toEqual([`38 ${next.block_id.hash}`]);
  });
});

describe('a fork far back', () => {
  it('keeps few ids, and finds its blocks again', () => {
    const [, second] = recordedBlocks() as [Block, Block];
    const length = 6_100;
    const at = (height: number): Block => ({
      ...second,
      header: { ...second.header, height, timeNs: BigInt(height) },
      lastCommit: { ...second.lastCommit, height: height - 1 },
    });
    const long: Chain = {
      ...openRecordedChain(),
      latestHeight: () => length,
      block: (height) => (height > length ? undefined : at(height)),
    };
    let signatures = 0;
    const counting: typeof signer = {
      ...signer,
      commit(...given) {
        signatures++;
        return signer.commit(...given);
      },
    };
    const chain = withFaults(long, parseFaults(['fork@2']), { signer: counting, codec });
    const last = chain.block(length);
    expect(chain.heightOfBlock(last?.id.hash ?? '')).toBe(length);
    // 1,000 is an anchor, 1,001 to 1,100 are forgotten
    expect(signatures).toBe(length - 1);
    chain.block(1_050);
    expect(signatures).toBe(length - 1 + 50);
    const early = [3, 4, 2_500, 2_501].map((height) => chain.block(height));
    expect(early[1]?.header.lastBlockId).toEqual(early[0]?.id);
    expect(early[3]?.header.lastBlockId).toEqual(early[2]?.id);
    expect(chain.block(length)).toEqual(last);
  });
});

describe('chain-id', () => {
  it('names another chain from its height on', async () => {
    const { block, head, step } = await outside(31, 'chain-id@33');
    step();
    expect(await head()).toEqual([1, 32, '9001']);
    step(2);
    expect(await head()).toEqual([1, 34, '9001-other']);
    expect((await block(32)).block.header.chain_id).toBe('9001');
    const [first, second] = await Promise.all([block(33), block(34)]);
    for (const other of [first, second]) {
      expect(other.block.header.chain_id).toBe('9001-other');
      expectWhole(other);
    }
    expect(first.block.header.last_block_id.hash).toBe(original(32).hash);
    expect(second.block.header.last_block_id.hash).toBe(first.block_id.hash);
  });
});

describe('faults together', () => {
  it('announce what was written anew through a view that hides others', async () => {
    const { block, step, announced } = await outside(30, 'fork@32', 'prune@20');
    step(6);
    expect(await announced()).toEqual([31, 32, 33, 34, 35, 36].map(named));
    step();
    const others = await Promise.all([32, 33, 34, 35, 36, 37].map(block));
    expect(await announced()).toEqual(others.map(({ block_id }, i) => `${32 + i} ${block_id.hash}`));
  });

  it('happen together', async () => {
    const { block, head, step, announced } = await outside(
      30,
      'halt@36',
      'fork@32',
      'lag',
      'chain-id@35',
      'prune@33',
    );
    step(20);
    expect(await head()).toEqual([33, 36, '9001-other']);
    const [a, b, c, d] = await Promise.all([33, 34, 35, 36].map(block));
    expect([a, b, c, d].map((one) => one?.block.header.chain_id)).toEqual([
      '9001',
      '9001',
      '9001-other',
      '9001-other',
    ]);
    for (const [parent, child] of [
      [a, b],
      [b, c],
      [c, d],
    ]) {
      expect(child?.block.header.last_block_id.hash).toBe(parent?.block_id.hash);
    }
    expect((await announced()).at(-1)).toBe(`36 ${d?.block_id.hash}`);
  });
});

function base64(hex = ''): string {
  return Buffer.from(hex, 'hex').toString('base64');
}

/** Its hash is that of its header, which holds the hash of a commit for the parent. */
function expectWhole({ block, block_id }: BlockResult): void {
  const header = readHashedHeader(block.header);
  if (header === undefined) throw new Error('a header without its time');
  const hex = (text: string) => Buffer.from(text, 'latin1').toString('hex').toUpperCase();
  expect(hex(new HeaderHasher().hash(header))).toBe(block_id.hash);
  const { last_commit } = block;
  expect(last_commit.block_id.hash).toBe(block.header.last_block_id.hash);
  expect(last_commit.signatures[0]?.timestamp).toBe(block.header.time);
  const { parts, hash } = last_commit.block_id;
  expect(block.header.last_commit_hash).toBe(
    commitHash({
      height: Number(last_commit.height),
      blockId: { hash, partsTotal: parts.total, partsHash: parts.hash },
      validatorAddress: signer.validator.address,
      timeNs: header.timeNs,
      signature: Buffer.from(last_commit.signatures[0]?.signature ?? '', 'base64'),
    }),
  );
}
