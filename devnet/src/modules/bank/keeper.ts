import { sdkError } from 'strata-kit/chain-error';
import type { Coin } from 'strata-kit/coin';
import { moduleAddress } from '../../app/address.ts';
import type { Context } from '../../app/module.ts';
import { collection, type Reader } from '../../state/state.ts';
import { ensureAccount, moduleNameOf } from '../auth/keeper.ts';
import { isEscrow } from '../escrow.ts';
import { coinsText } from './coins.ts';

export { moduleAddress } from '../../app/address.ts';

/** By `<address>/<denom>`; none where the balance is 0. */
export const BALANCES = collection<bigint>('bank/balances');
/** By denom. */
export const SUPPLY = collection<bigint>('bank/supply');

type Paying = Pick<Context, 'state' | 'emitPlain'>;

export function balance(reader: Reader, address: string, denom: string): bigint {
  return reader.get(BALANCES, `${address}/${denom}`) ?? 0n;
}

/** Sorted by denom. */
export function balances(reader: Reader, address: string): Coin[] {
  const prefix = `${address}/`;
  const coins: Coin[] = [];
  for (const [key, amount] of reader.entries(BALANCES, prefix))
    coins.push({ denom: key.slice(prefix.length), amount });
  return coins;
}

export function supplyOf(reader: Reader, denom: string): bigint {
  return reader.get(SUPPLY, denom) ?? 0n;
}

/** Sorted by denom. */
export function supplies(reader: Reader): Coin[] {
  return [...reader.entries(SUPPLY)].map(([denom, amount]) => ({ denom, amount }));
}

/**
 * Moves coins: coin_spent, coin_received, transfer and message, as the SDK's SendCoins emits them; the recipient's
 * account is made where there is none. Errors: sdk/5 (insufficient funds).
 */
export function send(context: Paying, from: string, to: string, coins: readonly Coin[]): void {
  const amount = coinsText(coins);
  spend(context, from, coins, amount);
  receive(context, to, coins, amount);
  ensureAccount(context, to);
  context.emitPlain('transfer', [
    ['recipient', to],
    ['sender', from],
    ['amount', amount],
  ]);
  context.emitPlain('message', [['sender', from]]);
}

/** New coins for a module's account: coin_received and coinbase. */
export function mint(
  context: Paying & Pick<Context, 'parameters'>,
  moduleName: string,
  coins: readonly Coin[],
): void {
  const address = moduleAddress(context.parameters, moduleName);
  const amount = coinsText(coins);
  ensureAccount(context, address);
  receive(context, address, coins, amount);
  for (const { denom, amount: minted } of coins)
    context.state.set(SUPPLY, denom, supplyOf(context.state, denom) + minted);
  context.emitPlain('coinbase', [
    ['minter', address],
    ['amount', amount],
  ]);
}

/** Ends coins of a module's account: coin_spent and burn. Errors: sdk/5. */
export function burn(
  context: Paying & Pick<Context, 'parameters'>,
  moduleName: string,
  coins: readonly Coin[],
): void {
  const address = moduleAddress(context.parameters, moduleName);
  const amount = coinsText(coins);
  spend(context, address, coins, amount);
  for (const { denom, amount: burnt } of coins) {
    const left = supplyOf(context.state, denom) - burnt;
    if (left === 0n) context.state.delete(SUPPLY, denom);
    else context.state.set(SUPPLY, denom, left);
  }
  context.emitPlain('burn', [
    ['burner', address],
    ['amount', amount],
  ]);
}

/** Whether MsgSend refuses to pay this account: the module accounts and the escrows of bridge routes. */
export function isBlocked(reader: Reader, parameters: Context['parameters'], address: string): boolean {
  return moduleNameOf(parameters, address) !== undefined || isEscrow(reader, address);
}

/** Writes a balance without an event and without a look at the supply: for what the EVM moves while it executes. */
export function setBalance(
  { state }: Pick<Context, 'state'>,
  address: string,
  denom: string,
  amount: bigint,
): void {
  const key = `${address}/${denom}`;
  if (amount === 0n) state.delete(BALANCES, key);
  else state.set(BALANCES, key, amount);
}

function spend(context: Paying, address: string, coins: readonly Coin[], text: string): void {
  for (const { denom, amount } of coins) {
    const held = balance(context.state, address, denom);
    if (held < amount) {
      throw sdkError(
        'insufficientFunds',
        `spendable balance ${held}${denom} is smaller than ${amount}${denom}: insufficient funds`,
      );
    }
    setBalance(context, address, denom, held - amount);
  }
  context.emitPlain('coin_spent', [
    ['spender', address],
    ['amount', text],
  ]);
}

function receive(context: Paying, address: string, coins: readonly Coin[], text: string): void {
  for (const { denom, amount } of coins)
    setBalance(context, address, denom, balance(context.state, address, denom) + amount);
  context.emitPlain('coin_received', [
    ['receiver', address],
    ['amount', text],
  ]);
}
