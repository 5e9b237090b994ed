import { mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand } from '../../test/support/command.ts';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import { openBlockStore } from '../src/comet/store.ts';
import { type Devnet, type DevnetOptions, openDevnet } from '../src/devnet.ts';
import { HomeError } from '../src/home-error.ts';
import { balance } from '../src/modules/bank/keeper.ts';
import { createMemoryKv, type Kv, openDiskKv } from '../src/state/kv.ts';
import { collection } from '../src/state/state.ts';
import { expectInvariants } from './support/invariants.ts';
import { sendMessage, testSigner } from './support/signer.ts';

const ann = await testSigner(1);
const ben = await testSigner(2);
const temporary = await temporaryFolder();
const folder = (name: string) => join(temporary.path, name);
afterAll(async () => {
  killCommands();
  await temporary.remove();
});

async function open(options: DevnetOptions = {}): Promise<Devnet> {
  const coins = [
    { denom: 'aaeva', amount: 10n ** 18n },
    { denom: 'uusd', amount: 1_000n },
  ];
  return openDevnet({
    clock: 'simulated',
    accounts: [
      { address: ann.address, coins },
      { address: ben.address, coins },
    ],
    ...options,
  });
}

/** A block with a send of `amount` from ann to ben. */
async function sendBlock(devnet: Devnet, amount: number) {
  const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, String(amount))]);
  const block = await devnet.produceBlock({ txs: [tx] });
  expect(block.results.map(({ log }) => log)).toEqual(['']);
  return block;
}

async function balanceAt(devnet: Devnet, height: number): Promise<string> {
  const request = devnet.app.codec.encode('/cosmos.bank.v1beta1.QueryBalanceRequest', {
    address: ben.address,
    denom: 'uusd',
  });
  const answer = await devnet.chain.query('/cosmos.bank.v1beta1.Query/Balance', request, height);
  if (answer.code !== 0) return `${answer.codespace}/${answer.code}: ${answer.log}`;
  const { balance: coin } = devnet.app.codec.decode(
    '/cosmos.bank.v1beta1.QueryBalanceResponse',
    answer.value,
  );
  return `${(coin as { amount: string }).amount} at ${answer.height}`;
}

describe.each(['memory', 'disk'] as const)('a store in %s', (kind) => {
  const kvOf = (name: string): Kv => (kind === 'memory' ? createMemoryKv() : openDiskKv(folder(name)));

  it('has ordered keys', async () => {
    const kv = kvOf('ordered');
    kv.write(({ put }) => {
      for (const key of ['b\0' + '2', 'a', 'b\0' + '1', 'b', 'c'])
        put(key, { key, amount: 5n, bytes: Buffer.from(key) });
    });
    kv.write(({ remove }) => remove('c'));
    expect([...kv.range('b\0', 'b\x01')].map(([key]) => key)).toEqual(['b\0' + '1', 'b\0' + '2']);
    expect(kv.last('a', 'b\0' + '19')?.[0]).toBe('b\0' + '1');
    expect(kv.last('b\0' + '3', 'b\0' + '9')).toBeUndefined();
    expect(kv.get('c')).toBeUndefined();
    expect(kv.get('a')).toEqual({ key: 'a', amount: 5n, bytes: Buffer.from('a') });
    await kv.close();
  });

  it('answers at every height', async () => {
    const devnet = await open(kind === 'disk' ? { home: folder('heights') } : {});
    await sendBlock(devnet, 1);
    await devnet.produceBlock();
    await sendBlock(devnet, 10);
    const at = await Promise.all([0, 1, 2, 3, 4].map((height) => balanceAt(devnet, height)));
    // 0 is the latest
    expect(at).toEqual([
      '1011 at 3',
      '1001 at 1',
      '1001 at 2',
      '1011 at 3',
      'sdk/26: cannot query with height in the future; please provide a valid height: invalid height',
    ]);
    expect(balance(devnet.readerAt(0), ben.address, 'uusd')).toBe(1_000n);
    await devnet.stop();
  });

  it('lists records as they were, those that are gone and those that came later left out', async () => {
    const kv = kvOf('entries');
    const things = collection<number>('test/things');
    const { history } = openBlockStore(kv, { keep: undefined });
    const change = (key: string, after?: number) => ({
      collection: 'test/things',
      key,
      before: undefined,
      after: after === undefined ? undefined : String(after),
    });
    kv.write((batch) => history.add(batch, 1, [change('a', 1), change('ab', 2), change('b', 3)]));
    kv.write((batch) => history.add(batch, 2, [change('a'), change('ab', 4), change('ac', 5)]));
    const list = (height: number, prefix?: string) => [...history.readerAt(height).entries(things, prefix)];
    expect(list(0)).toEqual([]);
    expect(list(1)).toEqual([
      ['a', 1],
      ['ab', 2],
      ['b', 3],
    ]);
    expect(list(2)).toEqual([
      ['ab', 4],
      ['ac', 5],
      ['b', 3],
    ]);
    expect(list(2, 'a')).toEqual([
      ['ab', 4],
      ['ac', 5],
    ]);
    expect(history.readerAt(2).get(things, 'a')).toBeUndefined();
    expect(history.readerAt(1).get(things, 'a')).toBe(1);
    await kv.close();
  });

  it('keeps as many heights as it is told, and nothing of those before', async () => {
    const home = kind === 'disk' ? folder('pruned') : undefined;
    const devnet = await open({ home, keep: 2 });
    for (let i = 0; i < 5; i++) await sendBlock(devnet, 1);
    expect([devnet.chain.earliestHeight(), devnet.chain.latestHeight()]).toEqual([4, 5]);
    expect(devnet.chain.block(3)).toBeUndefined();
    expect(await balanceAt(devnet, 4)).toBe('1004 at 4');
    expect(await balanceAt(devnet, 3)).toBe(
      'sdk/18: failed to load state at height 3; version does not exist (latest height: 5): invalid request',
    );
    await devnet.stop();
    if (home === undefined) return;
    const kv = openDiskKv(home);
    const versions = [...kv.range('h\0bank/balances\0', 'h\0bank/balances\x01')]
      .map(([key]) => key)
      .filter((key) => key.includes(`${ben.address}/uusd`));
    expect(versions.map((key) => Number(key.slice(-20)))).toEqual([4, 5]);
    expect([...kv.range('b\0', 'b\x01'), ...kv.range('n\0', 'n\x01')]).toHaveLength(4);
    expect([...kv.range('t\0', 't\x01')]).toHaveLength(2);
    await kv.close();
  });
});

describe('a folder', () => {
  it('holds a chain that goes on as if it had never stopped', async () => {
    const whole = await open();
    for (let i = 1; i <= 4; i++) await sendBlock(whole, i);
    const ids = [1, 2, 3, 4].map((height) => whole.chain.block(height)?.id.hash);
    await whole.stop();

    const home = folder('resumed');
    let devnet = await open({ home });
    for (let i = 1; i <= 2; i++) await sendBlock(devnet, i);
    await devnet.stop();
    // what is given for a new chain is not asked for again
    devnet = await openDevnet({ home, clock: 'simulated' });
    for (let i = 3; i <= 4; i++) await sendBlock(devnet, i);
    expect([1, 2, 3, 4].map((height) => devnet.chain.block(height)?.id.hash)).toEqual(ids);
    expectInvariants(devnet);
    await devnet.stop();
  });

  it('gives its blocks back as they were made', async () => {
    const home = folder('blocks');
    let devnet = await open({ home });
    const made = await sendBlock(devnet, 1);
    const commit = devnet.chain.commitOf(1);
    await devnet.stop();
    devnet = await open({ home });
    const plain = (value: unknown) =>
      JSON.stringify(value, (_, part) =>
        typeof part === 'bigint'
          ? `${part}n`
          : part?.type === 'Buffer'
            ? part.data
            : part instanceof Uint8Array
              ? [...part]
              : part,
      );
    expect(plain(devnet.chain.block(1))).toBe(plain(made));
    expect(plain(devnet.chain.commitOf(1))).toBe(plain(commit));
    await devnet.stop();
  });

  it('is refused with another seed, and when its state was changed', async () => {
    const home = folder('refused');
    const devnet = await open({ home });
    await sendBlock(devnet, 1);
    await devnet.stop();
    await expect(open({ home, seed: 2 })).rejects.toThrow(HomeError);
    const kv = openDiskKv(home);
    kv.write(({ put }) => put(`s\0bank/balances\0${ben.address}/uusd`, '{"$n":"1000000"}'));
    await kv.close();
    await expect(open({ home })).rejects.toThrow(/the folder is damaged/);
  });

  it('stops the second of two that make its blocks', async () => {
    const home = folder('shared');
    const first = await open({ home });
    const second = await open({ home });
    await sendBlock(first, 1);
    const refused: unknown = await second.produceBlock().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(HomeError);
    expect(String(refused)).toContain('another process has made block 1 of this chain');
    await first.stop();
    await second.stop();
  });

  it('starts the same chain again from its genesis document', async () => {
    const first = await open();
    const block = await sendBlock(first, 5);
    const again = await openDevnet({
      clock: 'simulated',
      genesis: JSON.parse(JSON.stringify(first.genesis)),
    });
    expect((await again.produceBlock({ txs: block.txs })).id).toEqual(block.id);
    await first.stop();
    await again.stop();
  });
});

describe('a chain whose process is killed', () => {
  it('has lost at most the block in flight, and goes on', async () => {
    const home = folder('killed');
    const flags = ['--home', home, '--seed', '7', '--clock', 'simulated', '--block-time', '1'];
    const command = startCommand(
      ...['devnet', ...flags, '--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'],
    );
    const [, url] = await command.printed(/JSON-RPC at (http:\/\/127\.0\.0\.1:\d+)/);
    let seen = 0;
    while (seen < 12) {
      const answer = (await (await fetch(`${url}/status`)).json()) as {
        result: { sync_info: { latest_block_height: string } };
      };
      seen = Number(answer.result.sync_info.latest_block_height);
    }
    await command.stop('SIGKILL');

    const devnet = await openDevnet({ home, seed: 7, clock: 'simulated' });
    const { chain } = devnet;
    const height = chain.latestHeight();
    expect(height).toBeGreaterThanOrEqual(seen);
    for (let at = 2; at <= height; at++) {
      expect(chain.block(at)?.header.lastBlockId).toEqual(chain.block(at - 1)?.id);
      expect(chain.block(at)?.header.appHash).toBe(chain.block(at - 1)?.nextAppHash);
    }
    expectInvariants(devnet);
    expect((await devnet.produceBlock()).header.height).toBe(height + 1);
    await devnet.stop();
  });
});

describe('a folder that is no chain', () => {
  const opened = (home: string) => openDevnet({ home, clock: 'simulated', accounts: [] });

  it('is refused when it is a file', async () => {
    await writeFile(folder('file'), '');
    await expect(opened(folder('file'))).rejects.toThrow(HomeError);
  });

  it('is refused when its file is of something else', async () => {
    await mkdir(folder('else'));
    await writeFile(join(folder('else'), 'data.mdb'), Buffer.alloc(100_000, 7));
    await expect(opened(folder('else'))).rejects.toThrow(
      /^the chain cannot be read: \S+data\.mdb is no file of a chain$/,
    );
  });

  it.each([4_096, 40_960])('is refused when its file is cut off at %i bytes', async (bytes) => {
    const home = folder(`cut-${bytes}`);
    const devnet = await opened(home);
    await devnet.produceBlock();
    await devnet.stop();
    const file = join(home, 'data.mdb');
    expect((await readFile(file)).length).toBeGreaterThan(bytes);
    await truncate(file, bytes);
    await expect(opened(home)).rejects.toThrow(`data.mdb is cut off at ${bytes} bytes`);
  });
});
