import { beforeAll, describe, expect, it } from 'vitest';
import { balance } from '../../src/modules/bank/keeper.ts';
import { account, createEvmChain, type EvmChain, fund, GAS_PRICE, walletOf } from './support.ts';

describe('the checks before an Ethereum tx', () => {
  const alice = walletOf(1);
  const to = walletOf(2).address;
  let chain: EvmChain;

  beforeAll(async () => {
    chain = await createEvmChain();
    fund(chain, alice, 10n ** 18n);
  });

  it('refuses what the sender cannot pay, in the words of the recorded chain', async () => {
    expect(
      await chain.refusal(alice, { to, value: 10n ** 18n, gasLimit: 21_000n, maxFeePerGas: GAS_PRICE }),
    ).toBe(
      'sdk/5: failed to check sender balance: sender balance < tx cost (1000000000000000000 < 1000021000000000000): insufficient funds',
    );
  });

  it('refuses a nonce that is not the next', async () => {
    await chain.send(alice, { to, gasLimit: 21_000n });
    expect(await chain.refusal(alice, { to, nonce: 0 })).toBe(
      'undefined/1: invalid nonce; got 0, expected 1: tx nonce is lower than account nonce',
    );
    expect(await chain.refusal(alice, { to, nonce: 5 })).toBe(
      'undefined/1: tx nonce: 5, account accountNonce: 1: tx nonce is higher than account nonce',
    );
  });

  it('refuses another chain, and a legacy tx without one', async () => {
    expect(await chain.refusal(alice, { to, chainId: 1 })).toMatch(/^sdk\/28: /);
    expect(await chain.refusal(alice, { to, type: 0, chainId: 1 })).toMatch(/^sdk\/28: /);
    expect(await chain.refusal(alice, { to, type: 0, chainId: 0 })).toMatch(/^sdk\/37: rejected unprotected/);
  });

  it('refuses too little gas and too low a price', async () => {
    expect(await chain.refusal(alice, { to, gasLimit: 20_000n })).toBe(
      'sdk/11: gas limit too low: 20000 (gas limit) < 21000 (intrinsic gas): out of gas',
    );
    expect(await chain.refusal(alice, { to, maxFeePerGas: GAS_PRICE - 1n })).toMatch(
      /^sdk\/13: the tx gasfeecap is lower than the tx baseFee: 999999999 /,
    );
    expect(await chain.refusal(alice, { to, type: 1, gasPrice: 1n })).toMatch(/^sdk\/13: /);
  });

  it('refuses an envelope that says something else than the signed bytes', async () => {
    const tx = { to, gasLimit: 21_000n };
    expect(await chain.refusal(alice, tx, (same) => ({ ...same, memo: 'x' }))).toBe(
      'sdk/18: for eth tx memo should be empty: invalid request',
    );
    expect(await chain.refusal(alice, tx, (same) => ({ ...same, fee: { ...same.fee, gasLimit: 1n } }))).toBe(
      'sdk/18: invalid AuthInfo Fee GasLimit (1 != 21000): invalid request',
    );
    expect(await chain.refusal(alice, tx, (same) => ({ ...same, fee: { ...same.fee, coins: [] } }))).toBe(
      'sdk/18: invalid AuthInfo Fee Amount (0 != 42000000000000): invalid request',
    );
    expect(
      await chain.refusal(alice, tx, (same) => ({
        ...same,
        messages: same.messages.map((message) => ({
          ...message,
          value: { ...message.value, from: Buffer.alloc(20, 7).toString('base64') },
        })),
      })),
    ).toMatch(/^sdk\/24: /);
    // the fee is that of one, and there are two
    expect(
      await chain.refusal(alice, tx, (same) => ({ ...same, messages: [...same.messages, ...same.messages] })),
    ).toBe('sdk/18: invalid AuthInfo Fee Amount (42000000000000 != 84000000000000): invalid request');
  });

  it('refuses bytes that are no tx, and too many of them', async () => {
    const carrying =
      (raw: Buffer) => (same: Parameters<NonNullable<Parameters<EvmChain['refusal']>[2]>>[0]) => ({
        ...same,
        messages: same.messages.map((message) => ({
          ...message,
          value: { ...message.value, raw: raw.toString('base64') },
        })),
      });
    expect(await chain.refusal(alice, { to }, carrying(Buffer.from('f800', 'hex')))).toMatch(/^sdk\/2: /);
    expect(await chain.refusal(alice, { to }, carrying(Buffer.from('03c0', 'hex')))).toMatch(/^sdk\/2: /);
    expect(await chain.refusal(alice, { to }, carrying(Buffer.alloc(131_073)))).toMatch(/^sdk\/21: /);
  });

  it('takes all three types, each at its own price', async () => {
    const spent = async (tx: object) => {
      const before = balance(chain.context.state, account(alice), 'aaeva');
      const { response } = await chain.send(alice, { to, gasLimit: 30_000n, ...tx });
      const cost = before - balance(chain.context.state, account(alice), 'aaeva');
      return cost / BigInt(response.gas_used);
    };
    expect(await spent({ type: 0, gasPrice: 3n * GAS_PRICE })).toBe(3n * GAS_PRICE);
    expect(await spent({ type: 1, gasPrice: 2n * GAS_PRICE })).toBe(2n * GAS_PRICE);
    expect(await spent({ maxFeePerGas: 9n * GAS_PRICE, maxPriorityFeePerGas: 5n })).toBe(GAS_PRICE + 5n);
    expect(await spent({ maxFeePerGas: GAS_PRICE + 2n, maxPriorityFeePerGas: 5n })).toBe(GAS_PRICE + 2n);
  });

  it('pays for an access list before anything runs', async () => {
    const accessList = [{ address: to, storageKeys: [`0x${'00'.repeat(32)}`] }];
    const { response } = await chain.send(alice, { to, type: 1, accessList, gasLimit: 30_000n });
    expect(response.gas_used).toBe(String(21_000 + 2_400 + 1_900));
  });
});
