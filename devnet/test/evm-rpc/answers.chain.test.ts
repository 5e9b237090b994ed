import { Interface } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REVERTER } from '../../src/modules/evm/contracts/artifacts.ts';
import { type EthereumDevnet, openEthereumDevnet } from './support.ts';

interface Answer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: string };
}

/** What no wallet shows: shapes of answers, errors, limits. */
describe("Ethereum's JSON-RPC", () => {
  let chain: EthereumDevnet;

  beforeAll(async () => {
    chain = await openEthereumDevnet();
  });

  afterAll(async () => {
    await chain?.close();
  });

  async function post(body: unknown): Promise<Response> {
    return fetch(chain.server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async function ask(method: string, ...params: unknown[]): Promise<Answer> {
    return (await (await post({ jsonrpc: '2.0', id: 1, method, params })).json()) as Answer;
  }

  async function errorOf(method: string, ...params: unknown[]) {
    const { error } = await ask(method, ...params);
    return [error?.code, error?.message];
  }

  it('answers what needs no chain', async () => {
    expect(await ask('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 1, result: '0x2397' });
    expect((await ask('net_version')).result).toBe('9111');
    expect((await ask('eth_accounts')).result).toEqual([]);
    expect((await ask('eth_syncing')).result).toBe(false);
    expect((await ask('web3_clientVersion')).result).toMatch(/^strata-devnet\//);
    expect((await ask('eth_gasPrice')).result).toBe('0x3b9aca00');
    expect((await ask('eth_feeHistory', '0x2', 'latest', [50])).result).toMatchObject({
      baseFeePerGas: expect.arrayContaining(['0x3b9aca00']),
    });
  });

  it('answers batches in their order, and errors among them', async () => {
    const answers = (await (
      await post([
        { jsonrpc: '2.0', id: 1, method: 'eth_chainId' },
        { jsonrpc: '2.0', id: 'two', method: 'eth_nothing' },
        { jsonrpc: '2.0', method: 'eth_chainId' },
        7,
      ])
    ).json()) as Answer[];
    expect(answers.map(({ id, error }) => [id, error?.code])).toEqual([
      [1, undefined],
      ['two', -32_601],
      [null, -32_600],
    ]);
    const many = Array.from({ length: 1_001 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
    expect(await (await post(many)).json()).toMatchObject({
      error: { code: -32_600, message: 'batch too large' },
    });
    expect(await (await post([])).json()).toMatchObject({ error: { code: -32_600 } });
  });

  it('refuses what is no call', async () => {
    expect(await (await post('{')).json()).toMatchObject({ id: null, error: { code: -32_700 } });
    expect((await fetch(chain.server.url)).status).toBe(405);
    expect((await post('x'.repeat(5_000_001))).status).toBe(413);
    expect(await errorOf('eth_getBalance', '0x12')).toEqual([
      -32_602,
      'invalid argument: address is no address',
    ]);
    expect(await ask('web3_sha3', `0x${'00'.repeat(131_072)}`)).toHaveProperty('result');
    expect(await errorOf('web3_sha3', `0x${'00'.repeat(131_073)}`)).toEqual([
      -32_602,
      'invalid argument: input has more than 131072 bytes',
    ]);
    expect(await errorOf('eth_getBalance', chain.bob.address, '0xffff')).toEqual([
      -32_000,
      'header not found',
    ]);
    expect(await errorOf('eth_getLogs', { topics: ['0x1'] })).toEqual([
      -32_602,
      'invalid argument: topic is no hash of 32 bytes',
    ]);
    expect(await errorOf('eth_getLogs', { fromBlock: '0x9', toBlock: '0x8' })).toEqual([
      -32_602,
      'invalid block range params',
    ]);
    expect(await errorOf('eth_call', { to: chain.at.reverter }, 'latest', {})).toEqual([
      -32_602,
      'state overrides are not served',
    ]);
    expect(await errorOf('eth_sendRawTransaction', '0x02c0')).toEqual([
      -32_000,
      expect.stringMatching(/decode/),
    ]);
  });

  it('tells a revert with its data', async () => {
    const data = new Interface(REVERTER.abi).encodeFunctionData('withReason', ['no']);
    const { error } = await ask('eth_call', { to: chain.at.reverter, data });
    expect(error).toEqual({
      code: 3,
      message: 'execution reverted: no',
      data: `0x08c379a0${'20'.padStart(64, '0')}${'2'.padStart(64, '0')}${'6e6f'.padEnd(64, '0')}`,
    });
    expect(
      await errorOf('eth_call', {
        from: chain.bob.address,
        to: chain.at.stable,
        value: `0x${'f'.repeat(40)}`,
      }),
    ).toEqual([-32_000, 'insufficient funds for gas * price + value']);
    const endless = new Interface(REVERTER.abi).encodeFunctionData('withoutGas');
    expect(await errorOf('eth_call', { to: chain.at.reverter, data: endless, gas: '0x186a0' })).toEqual([
      -32_000,
      'out of gas',
    ]);
  });

  it('answers null for what is not there', async () => {
    const hash = `0x${'ab'.repeat(32)}`;
    for (const method of ['eth_getTransactionByHash', 'eth_getTransactionReceipt', 'eth_getBlockByHash'])
      expect((await ask(method, hash, false)).result).toBe(null);
    expect((await ask('eth_getBlockByNumber', '0xffffff', false)).result).toBe(null);
  });
});
