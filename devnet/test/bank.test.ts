import { bytesToHex } from 'strata-kit/bytes';
import { ChainError } from 'strata-kit/chain-error';
import { describe, expect, it } from 'vitest';
import { derivedModuleAddress } from '../src/app/address.ts';
import { account, setSequence } from '../src/modules/auth/keeper.ts';
import { balance, balances, burn, mint, moduleAddress, send, supplyOf } from '../src/modules/bank/keeper.ts';
import { PARAMETERS, createContext as testContext } from './support/context.ts';

const ANN = 'aeva1zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3cffa86';
const BEN = 'aeva1yg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zh5vm0d';

describe('bank', () => {
  it('derives a module account as the SDK does', () => {
    // fee_collector of every Cosmos chain: cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta
    expect(moduleAddress({ ...PARAMETERS, hrp: 'cosmos' }, 'fee_collector')).toBe(
      'cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta',
    );
  });

  it('derives an account of 32 bytes by ADR-028', () => {
    // sha256(sha256("module") ‖ "bridge" ‖ 0x00 ‖ "r1"), by sha256sum
    expect(bytesToHex(derivedModuleAddress('bridge', Buffer.from('r1')))).toBe(
      '3e9ad1f99068e1f2c6dd54dfc89782eae0c6fd1a558cf552c7519281ead67aa8',
    );
  });

  it('mints, sends and burns with the events of the SDK', () => {
    const context = testContext();
    const module = moduleAddress(context.parameters, 'bridge');
    mint(context, 'bridge', [{ denom: 'uusd', amount: 10n }]);
    send(context, module, ANN, [{ denom: 'uusd', amount: 7n }]);
    burn(context, 'bridge', [{ denom: 'uusd', amount: 3n }]);
    expect(
      context.plain.map(({ type, attributes }) => [type, ...attributes.map((pair) => pair.join('='))]),
    ).toEqual([
      ['coin_received', `receiver=${module}`, 'amount=10uusd'],
      ['coinbase', `minter=${module}`, 'amount=10uusd'],
      ['coin_spent', `spender=${module}`, 'amount=7uusd'],
      ['coin_received', `receiver=${ANN}`, 'amount=7uusd'],
      ['transfer', `recipient=${ANN}`, `sender=${module}`, 'amount=7uusd'],
      ['message', `sender=${module}`],
      ['coin_spent', `spender=${module}`, 'amount=3uusd'],
      ['burn', `burner=${module}`, 'amount=3uusd'],
    ]);
    expect(supplyOf(context.state, 'uusd')).toBe(7n);
    expect(balance(context.state, module, 'uusd')).toBe(0n);
    expect(balances(context.state, ANN)).toEqual([{ denom: 'uusd', amount: 7n }]);
    expect(account(context.state, ANN)).toEqual({ number: 1n, sequence: 0n, publicKey: undefined });
  });

  it('refuses what is not there', () => {
    const context = testContext();
    let refusal: unknown;
    try {
      send(context, ANN, BEN, [{ denom: 'uusd', amount: 1n }]);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(ChainError);
    expect(refusal).toMatchObject({
      codespace: 'sdk',
      code: 5,
      message: 'spendable balance 0uusd is smaller than 1uusd: insufficient funds',
    });
  });

  it('numbers accounts in the order in which they come', () => {
    const context = testContext();
    setSequence(context, ANN, 4n);
    setSequence(context, BEN, 1n);
    setSequence(context, ANN, 5n);
    expect(account(context.state, ANN)).toEqual({ number: 0n, sequence: 5n, publicKey: undefined });
    expect(account(context.state, BEN)).toEqual({ number: 1n, sequence: 1n, publicKey: undefined });
  });
});
