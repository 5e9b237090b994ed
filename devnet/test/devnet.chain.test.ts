import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Devnet, type DevnetOptions, openDevnet } from '../src/devnet.ts';
import { account } from '../src/modules/auth/keeper.ts';
import { balance, moduleAddress } from '../src/modules/bank/keeper.ts';
import { devnetModules } from '../src/modules.ts';
import { expectInvariants } from './support/invariants.ts';
import { type SignOptions, sendMessage, type TestSigner, testSigner } from './support/signer.ts';

const ann = await testSigner(1);
const ben = await testSigner(2);
const poor = await testSigner(3);
const RICH = 1_000_000_000_000_000_000n;

async function open(options: DevnetOptions = {}): Promise<Devnet> {
  const coins = [
    { denom: 'aaeva', amount: RICH },
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

async function take(devnet: Devnet, tx: Uint8Array) {
  const { code, codespace, log } = await devnet.chain.addTx(tx);
  return `${codespace}/${code}: ${log}`;
}

describe('a send', () => {
  it('moves coins, takes the fee and raises the sequence', async () => {
    const devnet = await open();
    const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '7')]);
    expect(await take(devnet, tx)).toBe('/0: ');
    const block = await devnet.produceBlock();
    expect(block.results.map(({ code, log }) => [code, log])).toEqual([[0, '']]);
    const { state } = devnet.app;
    expect(balance(state, ann.address, 'uusd')).toBe(993n);
    expect(balance(state, ben.address, 'uusd')).toBe(1_007n);
    // 200,000 gas at 10^9
    expect(balance(state, ann.address, 'aaeva')).toBe(RICH - 200_000_000_000_000n);
    expect(balance(state, moduleAddress(devnet.parameters, 'fee_collector'), 'aaeva')).toBe(
      200_000_000_000_000n,
    );
    expect(account(state, ann.address)).toMatchObject({ number: 0n, sequence: 1n });
    expectInvariants(devnet);
    await devnet.stop();
  });

  it('that meets a defect of the chain fails, keeps nothing but its fee, and is told', async () => {
    const defect = new TypeError('of a module');
    const told: unknown[] = [];
    const modules = devnetModules().map((module) =>
      module.name !== 'bank'
        ? module
        : {
            ...module,
            messages: {
              ...module.messages,
              '/cosmos.bank.v1beta1.MsgSend': () => {
                throw defect;
              },
            },
          },
    );
    const devnet = await open({ modules, onUnforeseen: (error) => told.push(error) });
    await devnet.chain.addTx(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '7')]));
    const { results } = await devnet.produceBlock();
    expect(results.map(({ code, codespace, log }) => [codespace, code, log])).toEqual([
      ['undefined', 1, 'failed to execute message; message index: 0: internal error'],
    ]);
    expect(balance(devnet.app.state, ben.address, 'uusd')).toBe(1_000n);
    expect(told).toEqual([defect]);
    await devnet.stop();
  });

  it('has the events of a real chain, key by key', async () => {
    const devnet = await open();
    await devnet.chain.addTx(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '3')]));
    const { results } = await devnet.produceBlock();
    expect(results[0]?.events.map(({ type, attributes }) => [type, attributes.map(([key]) => key)])).toEqual(
      recordedSendEvents(),
    );
    const fee = '200000000000000aaeva';
    const collector = moduleAddress(devnet.parameters, 'fee_collector');
    const signature = results[0]?.events[6]?.attributes[0]?.[1] ?? '';
    expect(Buffer.from(signature, 'base64')).toHaveLength(64);
    expect(results[0]?.events.map(({ attributes }) => attributes.map(([, value]) => value))).toEqual([
      [ann.address, fee],
      [collector, fee],
      [collector, ann.address, fee],
      [ann.address],
      [fee, ann.address],
      [`${ann.address}/0`],
      [signature],
      ['/cosmos.bank.v1beta1.MsgSend', ann.address, 'bank', '0'],
      [ann.address, '3uusd', '0'],
      [ben.address, '3uusd', '0'],
      [ben.address, ann.address, '3uusd', '0'],
      [ann.address, '0'],
    ]);
    // TxMsgData of one empty MsgSendResponse, as on the recorded chain
    expect(Buffer.from(results[0]?.data ?? []).toString('base64')).toBe(
      'EiYKJC9jb3Ntb3MuYmFuay52MWJldGExLk1zZ1NlbmRSZXNwb25zZQ==',
    );
    await devnet.stop();
  });

  it('is undone as a whole when a message fails, but for its ante', async () => {
    const devnet = await open();
    const tx = await ann.sign(devnet, [
      sendMessage(ann.address, ben.address, '7'),
      sendMessage(ann.address, ben.address, '5000'),
    ]);
    await devnet.chain.addTx(tx);
    const { results } = await devnet.produceBlock();
    expect(results[0]).toMatchObject({
      codespace: 'sdk',
      code: 5,
      log: 'failed to execute message; message index: 1: spendable balance 993uusd is smaller than 5000uusd: insufficient funds',
      data: new Uint8Array(0),
    });
    expect(results[0]?.events.map(({ type }) => type)).toEqual([
      'coin_spent',
      'coin_received',
      'transfer',
      'message',
      'tx',
      'tx',
      'tx',
    ]);
    expect(balance(devnet.app.state, ann.address, 'uusd')).toBe(1_000n);
    expect(balance(devnet.app.state, ann.address, 'aaeva')).toBe(RICH - 200_000_000_000_000n);
    expect(account(devnet.app.state, ann.address)?.sequence).toBe(1n);
    expectInvariants(devnet);
    await devnet.stop();
  });

  it('is refused to a module account', async () => {
    const devnet = await open();
    const module = moduleAddress(devnet.parameters, 'settlement');
    await devnet.chain.addTx(await ann.sign(devnet, [sendMessage(ann.address, module, '7')]));
    const { results } = await devnet.produceBlock();
    expect(`${results[0]?.codespace}/${results[0]?.code}: ${results[0]?.log}`).toBe(
      `sdk/4: failed to execute message; message index: 0: ${module} is not allowed to receive funds: unauthorized`,
    );
    await devnet.stop();
  });
});

describe('the mempool refuses', () => {
  const send = (signer: TestSigner, options: SignOptions) => async (devnet: Devnet) =>
    take(devnet, await signer.sign(devnet, [sendMessage(signer.address, ben.address, '1')], options));

  it.each([
    [
      'a wrong sequence',
      send(ann, { sequence: 3 }),
      'sdk/32: account sequence mismatch, expected 0, got 3: incorrect account sequence',
    ],
    [
      'another chain',
      send(ann, { chainId: 'other-1' }),
      'sdk/4: signature verification failed; please verify account number (0) and chain-id (aeva_9111-1): (unable to verify single signer signature): unauthorized',
    ],
    [
      'another account number',
      send(ben, { accountNumber: 7 }),
      'sdk/4: signature verification failed; please verify account number (1) and chain-id (aeva_9111-1): (unable to verify single signer signature): unauthorized',
    ],
    [
      'a fee that is too small',
      send(ann, { fee: [{ denom: 'aaeva', amount: '199999999999999' }] }),
      'sdk/13: insufficient fees; got: 199999999999999aaeva required: 200000000000000aaeva: insufficient fee',
    ],
    [
      'a fee in another denom',
      send(ann, { fee: [{ denom: 'uusd', amount: '200000000000000' }] }),
      'sdk/13: insufficient fees; got: 200000000000000uusd required: 200000000000000aaeva: insufficient fee',
    ],
    [
      'a fee that is not there',
      send(ann, { fee: [{ denom: 'aaeva', amount: '1000000000000000001' }] }),
      'sdk/5: spendable balance 1000000000000000000aaeva is smaller than 1000000000000000001aaeva: insufficient funds: insufficient funds',
    ],
    [
      'an account that is not there',
      send(poor, {}),
      `sdk/9: fee payer address: ${poor.address} does not exist: unknown address`,
    ],
    [
      'a long memo',
      send(ann, { memo: 'm'.repeat(257) }),
      'sdk/12: maximum number of characters is 256 but received 257 characters: memo too large',
    ],
    ['a granter', send(ann, { granter: ben.address }), 'sdk/18: fee grants are not enabled: invalid request'],
    [
      'more gas than a block has',
      send(ann, { gas: 40_000_001 }),
      'sdk/41: tx gas limit 40000001 exceeds block max gas 40000000: invalid gas limit',
    ],
    [
      'no messages',
      async (devnet: Devnet) => take(devnet, await ann.sign(devnet, [])),
      'sdk/18: must contain at least one message: invalid request',
    ],
    [
      'a message that no module takes',
      async (devnet: Devnet) =>
        take(
          devnet,
          await ann.sign(devnet, [
            {
              typeUrl: '/cosmos.bank.v1beta1.MsgMultiSend',
              value: { inputs: [{ address: ann.address, coins: [] }], outputs: [] },
            },
          ]),
        ),
      'sdk/6: no message handler found for /cosmos.bank.v1beta1.MsgMultiSend: unknown request',
    ],
    [
      'a message of no known type',
      async (devnet: Devnet) =>
        take(
          devnet,
          await ann.sign(devnet, [
            { typeUrl: '/cosmos.gov.v1.MsgVote', value: { proposalId: 1n, voter: ann.address } },
          ]),
        ),
      'sdk/2: unable to resolve type URL /cosmos.gov.v1.MsgVote: tx parse error',
    ],
    [
      'too many bytes',
      async (devnet: Devnet) => take(devnet, new Uint8Array(1_048_577)),
      'sdk/21: Tx too large. Max size is 1048576, but got 1048577: tx too large',
    ],
  ])('%s', async (_, run, refusal) => {
    const devnet = await open();
    expect(await run(devnet)).toBe(refusal);
    expect(devnet.chain.mempoolSize()).toEqual({ count: 0, bytes: 0 });
    expectInvariants(devnet);
    await devnet.stop();
  });

  it('bytes that are no tx', async () => {
    const devnet = await open();
    expect(await take(devnet, Buffer.from('hello'))).toMatch(/^sdk\/2: .*tx parse error$/);
    await devnet.stop();
  });

  it('a signature that was tampered with', async () => {
    const devnet = await open();
    const tx = Uint8Array.from(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')]));
    tx[tx.length - 1] = (tx[tx.length - 1] as number) ^ 1;
    expect(await take(devnet, tx)).toMatch(/^sdk\/4: signature verification failed/);
    await devnet.stop();
  });

  it('a tx whose time is over', async () => {
    const devnet = await open();
    await devnet.produceBlock();
    await devnet.produceBlock();
    const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')], { timeoutHeight: 2n });
    expect(await take(devnet, tx)).toBe('sdk/30: block height: 3, timeout height: 2: tx timeout height');
    await devnet.stop();
  });

  it('what it knows, what a block had, and more than it has room for', async () => {
    const devnet = await open({ mempool: { maxTxs: 1, maxBytes: 10_000 } });
    const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')]);
    const other = await ben.sign(devnet, [sendMessage(ben.address, ann.address, '1')]);
    expect(await take(devnet, tx)).toBe('/0: ');
    expect(await take(devnet, other)).toBe(
      `sdk/20: mempool is full: number of txs 1 (max: 1), total txs bytes ${tx.length} (max: 10000)`,
    );
    await devnet.produceBlock();
    expect(await take(devnet, tx)).toBe('sdk/19: tx already exists in cache');
    expect(await take(devnet, other)).toBe('/0: ');
    await devnet.stop();
  });
});

describe('the mempool', () => {
  it('takes several txs of one sender into one block, in their order', async () => {
    const devnet = await open();
    const txs = [];
    for (let sequence = 0; sequence < 3; sequence++)
      txs.push(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')], { sequence }));
    for (const tx of txs) expect(await take(devnet, tx)).toBe('/0: ');
    const block = await devnet.produceBlock();
    expect(block.txs).toEqual(txs);
    expect(block.results.map(({ code }) => code)).toEqual([0, 0, 0]);
    await devnet.stop();
  });

  it('drops what a block has made invalid, and says why', async () => {
    const dropped: string[] = [];
    const devnet = await open({ onDrop: ({ log }) => dropped.push(log) });
    const waiting = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')]);
    const first = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '2')]);
    await devnet.chain.addTx(waiting);
    await devnet.produceBlock({ txs: [first] });
    expect(devnet.chain.mempoolSize().count).toBe(0);
    expect(dropped).toEqual(['account sequence mismatch, expected 1, got 0: incorrect account sequence']);
    await devnet.stop();
  });
});

describe('out of gas', () => {
  it('ends the tx, keeps its fee, and is told as the SDK tells it', async () => {
    const devnet = await open();
    const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')], { gas: 40_000 });
    expect(await take(devnet, tx)).toBe('/0: ');
    const { results } = await devnet.produceBlock();
    const [result] = results;
    expect(`${result?.codespace}/${result?.code}: ${result?.log}`).toMatch(
      /^sdk\/11: out of gas in location: \w+; gasWanted: 40000, gasUsed: \d+: out of gas$/,
    );
    expect(result?.gasUsed).toBeGreaterThan(40_000n);
    expect(balance(devnet.app.state, ann.address, 'aaeva')).toBe(RICH - 40_000_000_000_000n);
    await devnet.stop();
  });
});

describe('blocks', () => {
  it('chain, and the same seed gives the same ones', async () => {
    const run = async (seed: number) => {
      const devnet = await open({ seed });
      for (let i = 0; i < 3; i++) {
        await devnet.chain.addTx(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')]));
        await devnet.produceBlock();
      }
      const blocks = [1, 2, 3].map((height) => devnet.chain.block(height));
      await devnet.stop();
      return blocks;
    };
    const blocks = await run(1);
    expect(blocks[0]?.header).toMatchObject({
      height: 1,
      lastBlockId: { hash: '', partsTotal: 0, partsHash: '' },
    });
    expect(blocks[1]?.header.lastBlockId).toEqual(blocks[0]?.id);
    expect(blocks[1]?.header.appHash).toBe(blocks[0]?.nextAppHash);
    expect(blocks[1]?.header.timeNs).toBe(blocks[1]?.lastCommit.timeNs);
    // 2026-01-01T00:00:00Z, and 5 s a block
    expect(blocks.map((block) => block?.header.timeNs)).toEqual([
      1_767_225_600_000_000_000n,
      1_767_225_605_000_000_000n,
      1_767_225_610_000_000_000n,
    ]);
    expect((await run(1)).map((block) => block?.id)).toEqual(blocks.map((block) => block?.id));
    expect((await run(2)).map((block) => block?.id)).not.toEqual(blocks.map((block) => block?.id));
  });

  it('are found by their hashes, and txs by theirs', async () => {
    const devnet = await open();
    const { chain } = devnet;
    const { hash } = await chain.addTx(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '1')]));
    await devnet.produceBlock();
    const block = await devnet.produceBlock();
    expect(chain.placeOfTx(hash)).toEqual({ height: 1, index: 0 });
    expect(chain.heightOfBlock(block.id.hash)).toBe(2);
    expect(chain.commitOf(1)).toEqual(block.lastCommit);
    expect(chain.commitOf(2)?.blockId).toEqual(block.id);
    expect([chain.earliestHeight(), chain.latestHeight()]).toEqual([1, 2]);
    await devnet.stop();
  });
});

interface RecordedEvents {
  block_results: { txs_results: { events: { type: string; attributes: { key: string }[] }[] }[] | null };
}

/** Types and attribute keys of a MsgSend on the recorded chain: height 60, the first tx with a single MsgSend. */
function recordedSendEvents(): readonly (readonly [string, readonly string[]])[] {
  const file = new URL('../../test/fixtures/evmd/blocks.jsonl.gz', import.meta.url);
  const line = gunzipSync(readFileSync(file)).toString().split('\n')[59] ?? '';
  const { block_results } = JSON.parse(line) as RecordedEvents;
  const found = block_results.txs_results?.find((result) =>
    JSON.stringify(result).includes('"/cosmos.bank.v1beta1.MsgSend"'),
  );
  return (found?.events ?? []).map(({ type, attributes }) => [type, attributes.map(({ key }) => key)]);
}
