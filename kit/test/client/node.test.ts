import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  FAKE_CHAIN,
  type FakeAnswers,
  type FakeNode,
  fakeNode,
} from '../../../devnet/test/support/fake-node.ts';
import { recordedHeights } from '../../../test/chain/fixture.ts';
import { accountState, queryChain, simulatedGas } from '../../src/client/accounts.ts';
import { ClientError } from '../../src/client/errors.ts';
import { bech32Of, keyFromSeed } from '../../src/client/keys.ts';
import { connectNode } from '../../src/client/node.ts';
import { prepareTx, type TxRequest } from '../../src/client/prepare.ts';
import { openCodec } from '../../src/codec/codec.ts';

const codec = openCodec({ namespace: 'aeva' });
const key = keyFromSeed('secp256k1', 'alice');
const address = bech32Of('aeva', key);
const nodes: FakeNode[] = [];
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.close()));
});

/** A recorded block with txs. */
const RECORDED = recordedHeights()
  .map(({ block }) => JSON.parse(block.toString()))
  .find(({ block }) => block.data.txs?.length > 1);
const BLOCK: {
  readonly block_id: object;
  readonly block: { readonly header: typeof HEADER; readonly data: { readonly txs: readonly string[] } };
} = RECORDED;
const HEADER: Readonly<Record<string, string>> = RECORDED.block.header;
const HEIGHT = Number(HEADER.height);
const TXS: readonly string[] = RECORDED.block.data.txs;

function changed(tx = ''): string {
  const bytes = Buffer.from(tx, 'base64');
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return bytes.toString('base64');
}

const ACCOUNT = {
  account: {
    '@type': '/cosmos.auth.v1beta1.BaseAccount',
    address,
    account_number: '11',
    sequence: '22',
  },
};
const ACCOUNT_PATH = '/cosmos.auth.v1beta1.Query/Account';
const SIMULATE = '/cosmos.tx.v1beta1.Service/Simulate';
const CONFIG = '/cosmos.base.node.v1beta1.Service/Config';

async function node(answers: FakeAnswers = {}) {
  const fake = await fakeNode(codec, answers);
  nodes.push(fake);
  return { fake, node: connectNode(fake.url) };
}

async function failure(act: Promise<unknown>): Promise<ClientError> {
  const error = await act.then(
    () => new Error('nothing failed'),
    (reason) => reason,
  );
  if (error instanceof ClientError) return error;
  throw error;
}

describe('a node', () => {
  it('tells its chain, height and time', async () => {
    const { node: one } = await node();
    expect(await one.status()).toEqual({
      chainId: FAKE_CHAIN,
      height: 7,
      timeNs: 1_795_168_800_500_000_000n,
    });
  });

  it('has no tx until a block holds it', async () => {
    const events = [{ type: 'e', attributes: [{ key: 'k', value: 'v', index: true }] }];
    const { node: one } = await node({
      looksBefore: 1,
      result: { code: 5, codespace: 'sdk', log: 'l', events },
    });
    const { hash, code } = await one.broadcast(Buffer.from('abc'));
    expect([hash, code]).toEqual(['BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD', 0]);
    expect(await one.tx(hash)).toBeUndefined();
    expect(await one.tx(hash)).toEqual({
      hash,
      height: 8,
      code: 5,
      codespace: 'sdk',
      log: 'l',
      gasWanted: 130n,
      gasUsed: 99n,
      events: [{ type: 'e', attributes: [['k', 'v']] }],
    });
  });

  it('shows the txs of a block, and no other block for it', async () => {
    const { node: one } = await node({ bodies: { block: JSON.stringify({ result: BLOCK }) } });
    expect((await one.blockTxs(HEIGHT)).map((tx) => Buffer.from(tx).toString('base64'))).toEqual(TXS);
    expect(await failure(one.blockTxs(HEIGHT + 1))).toMatchObject({ kind: 'node' });
    const { node: none } = await node();
    expect(await failure(none.blockTxs(8))).toMatchObject({ kind: 'node' });
  });

  it.each([
    [
      'a changed tx',
      { ...BLOCK, block: { ...BLOCK.block, data: { txs: [changed(TXS[0]), ...TXS.slice(1)] } } },
    ],
    ['a tx left out', { ...BLOCK, block: { ...BLOCK.block, data: { txs: TXS.slice(1) } } }],
    ['no txs', { ...BLOCK, block: { ...BLOCK.block, data: { txs: null } } }],
    [
      'another data_hash',
      { ...BLOCK, block: { ...BLOCK.block, header: { ...HEADER, data_hash: HEADER.app_hash } } },
    ],
    [
      'another header',
      { ...BLOCK, block: { ...BLOCK.block, header: { ...HEADER, app_hash: HEADER.data_hash } } },
    ],
    ['another hash', { ...BLOCK, block_id: { ...BLOCK.block_id, hash: HEADER.data_hash } }],
    ['no header', { ...BLOCK, block: { data: BLOCK.block.data } }],
  ])('shows no txs of a block with %s', async (_, result) => {
    const { node: one } = await node({ bodies: { block: JSON.stringify({ result }) } });
    expect(await failure(one.blockTxs(HEIGHT))).toMatchObject({
      kind: 'node',
      message: expect.stringContaining('with another one, or with other txs'),
    });
  });

  it.each([
    ['no JSON', '<html>'],
    ['no object', '[]'],
    ['no result', '{"jsonrpc":"2.0","id":1}'],
    ['another result', '{"result":{}}'],
    ['an error', '{"error":{"code":-32603,"message":"Internal error","data":"no"}}'],
  ])('that answers with %s is told', async (_, body) => {
    const { fake, node: one } = await node({ bodies: { status: body } });
    const error = await failure(one.status());
    expect(error.kind).toBe('node');
    expect(error.message).toContain(fake.url);
  });

  it('with long texts is quoted by their beginning', async () => {
    const long = 'x'.repeat(60_000);
    const bodies = {
      status: JSON.stringify({ error: { code: -32603, message: 'Internal error', data: long } }),
      block: JSON.stringify({ error: { code: -32005, message: 'busy', data: long } }),
      broadcast_tx_sync: JSON.stringify({ result: { code: 5, codespace: long, log: long } }),
    };
    const { node: one } = await node({ bodies });
    const { codespace, log } = await one.broadcast(Buffer.from('abc'));
    const errors = [await failure(one.status()), await failure(one.blockTxs(8))];
    for (const text of [codespace, log, ...errors.map(({ message }) => message)]) {
      expect(text).toMatch(/x{400}… \(cut, 600\d\d characters in all\)$/);
      expect(text.length).toBeLessThan(700);
    }
  });

  it('that is not there, or says nothing, is told', async () => {
    expect(await failure(connectNode('http://127.0.0.1:1').status())).toMatchObject({ kind: 'unreachable' });
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    expect(await failure(connectNode(url, { requestMs: 20 }).status())).toMatchObject({ kind: 'timeout' });
    silent.closeAllConnections();
    silent.close();
  });

  it('is left at once when the caller is stopped', async () => {
    const stop = new AbortController();
    const silent = createServer(() => stop.abort()).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    await expect(connectNode(url, { signal: stop.signal }).tx('AB')).rejects.toThrow(/abort|stopped/i);
    silent.closeAllConnections();
    silent.close();
  });
});

describe('an account', () => {
  it('has a number and a sequence, or is not there', async () => {
    const { node: one } = await node({ queries: { [ACCOUNT_PATH]: ACCOUNT } });
    expect(await accountState(codec, one, address)).toEqual({ number: 11n, sequence: 22n, height: 7 });
    const { node: other } = await node({ queries: { [ACCOUNT_PATH]: 'account x not found' } });
    expect(await accountState(codec, other, address)).toBeUndefined();
    const { node: broken } = await node();
    expect(await failure(accountState(codec, broken, address))).toMatchObject({ kind: 'node' });
  });

  it('of a module is one inside another', async () => {
    const { '@type': _, ...base_account } = ACCOUNT.account;
    const account = { '@type': '/cosmos.auth.v1beta1.ModuleAccount', base_account, name: 'bridge' };
    const { node: one } = await node({ queries: { [ACCOUNT_PATH]: { account } } });
    expect(await accountState(codec, one, address)).toEqual({ number: 11n, sequence: 22n, height: 7 });
  });
});

describe('queries', () => {
  it('answer, or refuse with the code of the chain', async () => {
    const path = '/aeva.asset.v1.Query/NextNonce';
    const { node: one } = await node({ queries: { [path]: { next_nonce: '3' }, [SIMULATE]: 'out of gas' } });
    expect(await queryChain(codec, one, path, { issuer: 'a' })).toEqual({ next_nonce: '3' });
    await expect(simulatedGas(codec, one, Buffer.from('tx'))).rejects.toMatchObject({
      codespace: 'sdk',
      code: 38,
      message: 'out of gas',
    });
    await expect(queryChain(codec, one, '/aeva.asset.v1.Query/None', {})).rejects.toMatchObject({ code: 6 });
  });
});

describe('a tx that is prepared', () => {
  const request: TxRequest = {
    messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: address, to_address: 'b' }],
    key,
    hrp: 'aeva',
    memo: '',
    chainId: undefined,
    accountNumber: undefined,
    sequence: undefined,
    gas: undefined,
    gasAdjustment: 1.3,
    fees: undefined,
    timeoutHeight: undefined,
  };
  const simulated = (gas_used: string) => ({ gas_info: { gas_used } });

  it('takes gas by simulation and the least fee of the node', async () => {
    const { node: one } = await node({
      queries: {
        [ACCOUNT_PATH]: ACCOUNT,
        [SIMULATE]: simulated('101'),
        [CONFIG]: { minimum_gas_price: '0.26aaeva,1uusd' },
      },
    });
    // 101 · 1.3 = 131.3, and 132 · 0.26 = 34.32
    expect(await prepareTx(codec, one, request)).toMatchObject({
      chainId: FAKE_CHAIN,
      signer: { accountNumber: 11n, sequence: 22n },
      // 100 blocks from now
      content: { gasLimit: 132n, fee: [{ denom: 'aaeva', amount: 35n }], timeoutHeight: 107n },
    });
  });

  it('asks nothing of the node when everything is given', async () => {
    const { fake, node: one } = await node();
    const given = { chainId: 'c', accountNumber: 1n, sequence: 2n, gas: 5n, fees: [], timeoutHeight: 9n };
    const { content, chainId } = await prepareTx(codec, one, { ...request, ...given });
    expect([content.gasLimit, content.fee, chainId, fake.calls]).toEqual([5n, [], 'c', []]);
  });

  it('is refused for another chain, another signer, or an account that is not there', async () => {
    const { node: one } = await node({ queries: { [ACCOUNT_PATH]: ACCOUNT } });
    expect(await failure(prepareTx(codec, one, { ...request, chainId: 'other' }))).toMatchObject({
      kind: 'input',
      message: "the node's chain is fake-1, not other",
    });
    const messages = [{ '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: 'aeva1other' }];
    expect((await failure(prepareTx(codec, one, { ...request, messages }))).message).toContain(
      'by aeva1other',
    );
    const { node: empty } = await node({ queries: { [ACCOUNT_PATH]: 'account not found' } });
    expect((await failure(prepareTx(codec, empty, request))).message).toContain('send it coins first');
  });
});
