import type { JsonObject } from 'strata-kit/proto-json';
import { afterAll, describe, expect, it } from 'vitest';
import { type Devnet, openDevnet } from '../src/devnet.ts';
import { balance } from '../src/modules/bank/keeper.ts';
import { sendMessage, testSigner } from './support/signer.ts';

/** Queries of the base layer and simulations, as a client asks for them. */

const ann = await testSigner(1);
const ben = await testSigner(2);
const devnet = await openDevnet({
  clock: 'simulated',
  accounts: [
    {
      address: ann.address,
      coins: [
        { denom: 'uusd', amount: 1_000n },
        { denom: 'aaeva', amount: 10n ** 18n },
      ],
    },
  ],
});
await devnet.produceBlock({ txs: [await ann.sign(devnet, [sendMessage(ann.address, ben.address, '7')])] });
afterAll(() => devnet.stop());

async function ask(path: string, request: JsonObject = {}, of: Devnet = devnet): Promise<unknown> {
  const { codec } = of.app;
  const method = codec.method(path);
  if (method === undefined) throw new Error(`no method ${path}`);
  const { code, codespace, log, value } = await of.chain.query(
    path,
    codec.encode(method.request, request),
    0,
  );
  return code === 0 ? codec.decode(method.response, value) : `${codespace}/${code}: ${log}`;
}

describe('accounts', () => {
  it('are told with number, sequence and key', async () => {
    expect(await ask('/cosmos.auth.v1beta1.Query/Account', { address: ann.address })).toMatchObject({
      account: {
        '@type': '/cosmos.auth.v1beta1.BaseAccount',
        address: ann.address,
        // of the private key of 32 times 0x01
        pub_key: {
          '@type': '/cosmos.crypto.secp256k1.PubKey',
          key: 'AxuExVZ7EmRAmV0+1aq6BWXXHhg0YEgZ/5wX9enV3QeP',
        },
        account_number: '0',
        sequence: '1',
      },
    });
    expect(await ask('/cosmos.auth.v1beta1.Query/Account', { address: ben.address })).toMatchObject({
      account: { pub_key: null, sequence: '0' },
    });
  });

  it('that are not there are not found, as clients look for it', async () => {
    const { address } = await testSigner(9);
    expect(await ask('/cosmos.auth.v1beta1.Query/Account', { address })).toBe(
      `sdk/22: rpc error: code = NotFound desc = account ${address} not found: key not found`,
    );
  });

  it('of modules are listed by name', async () => {
    const { accounts } = (await ask('/cosmos.auth.v1beta1.Query/ModuleAccounts')) as {
      accounts: { '@type': string; name: string; permissions: string[] }[];
    };
    expect(accounts.map(({ name, permissions }) => [name, ...permissions])).toEqual([
      ['bridge', 'minter', 'burner'],
      ['evm', 'minter', 'burner'],
      ['fee_collector'],
      ['payout'],
      ['settlement'],
      ['waterfall'],
    ]);
  });
});

describe('the bank', () => {
  it('tells balances and supplies', async () => {
    const { address } = ben;
    expect(await ask('/cosmos.bank.v1beta1.Query/AllBalances', { address })).toMatchObject({
      balances: [{ denom: 'uusd', amount: '7' }],
      pagination: { total: '1' },
    });
    expect(await ask('/cosmos.bank.v1beta1.Query/SupplyOf', { denom: 'uusd' })).toEqual({
      amount: { denom: 'uusd', amount: '1000' },
    });
    expect(await ask('/cosmos.bank.v1beta1.Query/SupplyOf', { denom: 'none' })).toEqual({
      amount: { denom: 'none', amount: '0' },
    });
    expect(
      await ask('/cosmos.bank.v1beta1.Query/Balance', { address: 'cosmos1nobody', denom: 'uusd' }),
    ).toMatch(/^sdk\/18: rpc error: code = Unknown desc = invalid address: decoding bech32 failed/);
  });
});

describe('the node', () => {
  it('tells its prefix, its price of gas and its descriptors', async () => {
    expect(await ask('/cosmos.auth.v1beta1.Query/Bech32Prefix')).toEqual({ bech32_prefix: 'aeva' });
    expect(await ask('/cosmos.base.node.v1beta1.Service/Config')).toMatchObject({
      minimum_gas_price: '1000000000aaeva',
    });
    const { value } = await devnet.chain.query(
      '/cosmos.reflection.v1.ReflectionService/FileDescriptors',
      new Uint8Array(0),
      0,
    );
    expect(Buffer.from(value).includes('aeva/rights/v1/tx.proto')).toBe(true);
  });

  it('reads no request of more than 64 kB', async () => {
    const path = '/cosmos.bank.v1beta1.Query/SupplyOf';
    // fields that nobody knows
    const ask = (byteLength: number) => devnet.chain.query(path, Buffer.alloc(byteLength, '7a00', 'hex'), 0);
    expect(await ask(65_536)).toMatchObject({ code: 0 });
    expect(await ask(65_538)).toMatchObject({ code: 18, codespace: 'sdk' });
  });

  it('knows no other path', async () => {
    for (const path of ['/store/bank/key', '/cosmos.gov.v1.Query/Params', 'nothing'])
      expect(await devnet.chain.query(path, new Uint8Array(0), 0)).toMatchObject({
        code: 6,
        codespace: 'sdk',
        log: 'unknown query path: unknown request',
      });
  });
});

describe('a simulation', () => {
  it('tells gas and events, whatever the signature, and leaves nothing', async () => {
    const tx = Uint8Array.from(await ann.sign(devnet, [sendMessage(ann.address, ben.address, '5')]));
    tx[tx.length - 1] = (tx[tx.length - 1] as number) ^ 1;
    const answer = (await ask('/cosmos.tx.v1beta1.Service/Simulate', {
      tx_bytes: Buffer.from(tx).toString('base64'),
    })) as {
      gas_info: { gas_used: string };
      result: { events: { type: string }[]; msg_responses: unknown[] };
    };
    expect(answer.result.events.at(-1)?.type).toBe('message');
    expect(answer.result.msg_responses).toEqual([{ '@type': '/cosmos.bank.v1beta1.MsgSendResponse' }]);
    expect(balance(devnet.app.state, ben.address, 'uusd')).toBe(7n);
    const plain = await devnet.chain.query('/app/simulate', tx, 0);
    expect(JSON.parse(Buffer.from(plain.value).toString())).toMatchObject({ gas_info: answer.gas_info });

    // the same tx in a block takes the gas that was told: the signature costs the same
    const block = await devnet.produceBlock({
      txs: [await ann.sign(devnet, [sendMessage(ann.address, ben.address, '5')])],
    });
    expect(String(block.results[0]?.gasUsed)).toBe(answer.gas_info.gas_used);
  });

  it('says why a message would fail', async () => {
    const tx = await ann.sign(devnet, [sendMessage(ann.address, ben.address, '5000')]);
    const { code, log } = await devnet.chain.query('/app/simulate', tx, 0);
    expect([code, log]).toEqual([
      18,
      'rpc error: code = Unknown desc = failed to execute message; message index: 0: spendable balance 988uusd is smaller than 5000uusd: insufficient funds: invalid request',
    ]);
  });
});
