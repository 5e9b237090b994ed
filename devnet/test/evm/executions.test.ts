import { getCreateAddress } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { account as accountOf } from '../../src/modules/auth/keeper.ts';
import { balance, supplyOf } from '../../src/modules/bank/keeper.ts';
import { codeOf } from '../../src/modules/evm/keeper.ts';
import { account, createEvmChain, type EvmChain, faces, fund, walletOf } from './support.ts';

const WHOLE = 10n ** 18n;

describe('an execution', () => {
  const alice = walletOf(1);
  const bob = walletOf(2);
  let chain: EvmChain;

  beforeAll(async () => {
    chain = await createEvmChain();
    fund(chain, alice, 100n * WHOLE);
  });

  function reverter() {
    return { to: chain.at.reverter, face: faces.reverter };
  }

  async function revert(name: string, values: readonly unknown[], gasLimit = 200_000n) {
    const { response, events } = await chain.call(alice, reverter(), name, values, { gasLimit });
    expect(response.logs).toEqual([]);
    const failed = events.find(({ type, attributes }) => type === 'ethereum_tx' && attributes.length > 2);
    expect(failed?.attributes.at(-1)).toEqual(['ethereumTxFailed', response.vm_error]);
    return [response.vm_error, `0x${Buffer.from(response.ret, 'base64').toString('hex')}`, response.gas_used];
  }

  it('reverts with a reason', async () => {
    const [error, data] = await revert('withReason', ['too hot']);
    expect(error).toBe('execution reverted');
    expect(data).toBe(
      `0x08c379a0${'20'.padStart(64, '0')}${'7'.padStart(64, '0')}${Buffer.from('too hot').toString('hex').padEnd(64, '0')}`,
    );
  });

  it('reverts with an error of its own, a panic, or nothing', async () => {
    const [, custom] = await revert('withCustomError', [418]);
    expect(faces.reverter.parseError(custom ?? '')?.args.toArray()).toEqual([418n, alice.address]);
    const [, panic] = await revert('withPanic', [1]);
    expect(panic).toBe(`0x4e487b71${'1'.padStart(64, '0')}`);
    const [, division] = await revert('withDivision', [1]);
    expect(division).toBe(`0x4e487b71${'12'.padStart(64, '0')}`);
    expect((await revert('withNothing', [])).slice(0, 2)).toEqual(['execution reverted', '0x']);
  });

  it('runs out of gas or into an invalid opcode, and uses all of it', async () => {
    expect(await revert('withoutGas', [])).toEqual(['out of gas', '0x', '200000']);
    expect(await revert('withInvalid', [])).toEqual(['invalid opcode: INVALID', '0x', '200000']);
  });

  it('drops the log of a call that fails, and keeps the one after it', async () => {
    const { response } = await chain.call(alice, reverter(), 'caught', [7]);
    expect(response.vm_error).toBe('');
    expect(response.logs.map(({ topics }) => topics[1])).toEqual([`0x${'8'.padStart(64, '0')}`]);
  });

  it('moves value through the module account, as the recorded chain does', async () => {
    const held = balance(chain.context.state, account(alice), 'aaeva');
    const supply = supplyOf(chain.context.state, 'aaeva');
    const { response, events } = await chain.send(alice, { to: bob.address, value: 3n, gasLimit: 21_000n });
    expect(response).toMatchObject({ vm_error: '', gas_used: '21000', ret: '', logs: [] });
    expect(balance(chain.context.state, account(bob), 'aaeva')).toBe(3n);
    expect(balance(chain.context.state, account(alice), 'aaeva')).toBe(held - 3n - 21_000n * 10n ** 9n);
    expect(supplyOf(chain.context.state, 'aaeva')).toBe(supply);
    // addresses in order: alice is 0x1a64…, bob 0x5050…
    expect(events.map(({ type }) => type)).toEqual([
      ...['coin_spent', 'coin_received', 'transfer', 'message', 'tx', 'ethereum_tx'],
      ...['coin_spent', 'coin_received', 'transfer', 'message', 'coin_spent', 'burn'],
      ...['coin_received', 'coinbase', 'coin_spent', 'coin_received', 'transfer', 'message'],
      ...['ethereum_tx', 'message'],
    ]);
  });

  it('gives back the fee of gas that was not used', async () => {
    const { events } = await chain.send(alice, { to: bob.address, value: 0n, gasLimit: 100_000n });
    expect(
      events.filter(({ type }) => type === 'transfer').map(({ attributes }) => attributes[2]?.[1]),
    ).toEqual(['100000000000000aaeva', '79000000000000aaeva']);
  });

  it('creates a contract at CREATE(sender, nonce)', async () => {
    const nonce = Number(accountOf(chain.context.state, account(alice))?.sequence);
    // PUSH1 1 PUSH1 0 MSTORE8 PUSH1 1 PUSH1 0 RETURN: code of one byte, 0x01
    const { response } = await chain.send(alice, { data: '0x600160005360016000f3', gasLimit: 100_000n });
    const address = getCreateAddress({ from: alice.address, nonce }).slice(2).toLowerCase();
    expect([...codeOf(chain.context.state, address)]).toEqual([1]);
    expect(response).toMatchObject({ vm_error: '', ret: 'AQ==' });
    const created = accountOf(chain.context.state, account({ address: `0x${address}` }));
    expect(created?.sequence).toBe(1n);
  });

  it('creates contracts from a contract, with value, and not from what its constructor refuses', async () => {
    const maker = { to: chain.at.maker, face: faces.maker };
    const { response } = await chain.call(alice, maker, 'make', [42], { value: 5n });
    const item = faces.maker.decodeFunctionResult('make', Buffer.from(response.ret, 'base64'))[0];
    expect(item).toBe(getCreateAddress({ from: chain.at.maker, nonce: 1 }));
    expect(balance(chain.context.state, account({ address: item }), 'aaeva')).toBe(5n);
    const refused = await chain.call(alice, maker, 'make', [0], { value: 5n });
    expect(refused.response.vm_error).toBe('execution reverted');
  });

  it('counts logs over the block, and its txs that passed the ante', async () => {
    chain.nextBlock();
    const note = () => chain.call(alice, reverter(), 'note', [1]);
    const first = await note();
    await revert('withReason', ['no']);
    expect(await chain.refusal(alice, { to: bob.address, value: 10n ** 30n })).toMatch(/^sdk\/5: /);
    const caught = await chain.call(alice, reverter(), 'caught', [1]);
    const last = await note();
    const places = [first, caught, last].flatMap(({ response }) =>
      response.logs.map(({ tx_index, index }) => [tx_index, index]),
    );
    expect(places).toEqual([
      ['0', '0'],
      ['2', '1'],
      ['3', '2'],
    ]);
    chain.nextBlock();
    expect((await note()).response.logs[0]).toMatchObject({ tx_index: '0', index: '0' });
  });
});
