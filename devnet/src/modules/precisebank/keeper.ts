import { sdkError } from 'strata-kit/chain-error';
import type { Context } from '../../app/module.ts';
import type { ChainParameters } from '../../app/parameters.ts';
import { collection, type Reader } from '../../state/state.ts';
import { balance, burn, mint, moduleAddress, send, setBalance } from '../bank/keeper.ts';

/**
 * The gas token with 18 decimals where the bank's coin has 6, as x/precisebank of cosmos/evm: the bank holds whole
 * units of 10^12, this module what an account has beyond them, and its own account one unit of the bank for every 10^12
 * of such fractions. Where the bank's coin has 18 decimals, all amounts here are the bank's own.
 */

/** What an account has below one unit of the bank, by bech32 address; none where it is 0. */
export const FRACTIONS = collection<bigint>('precisebank/fractional_balances');
/** The account whose coins back the fractions. */
export const RESERVE = 'precisebank';

const EVM_DECIMALS = 18n;

type Decimals = Pick<ChainParameters, 'gasDecimals'>;
type Paying = Pick<Context, 'state' | 'parameters' | 'emitPlain'>;

/** How many of the EVM's units are one of the bank's: 1 or 10^12. */
export function unitsOf({ gasDecimals }: Decimals): bigint {
  return 10n ** (EVM_DECIMALS - BigInt(gasDecimals));
}

/** In the EVM's units. */
export function extendedBalance(
  reader: Reader,
  parameters: Decimals & Pick<ChainParameters, 'gasDenom'>,
  address: string,
): bigint {
  const whole = balance(reader, address, parameters.gasDenom);
  const units = unitsOf(parameters);
  return units === 1n ? whole : whole * units + (reader.get(FRACTIONS, address) ?? 0n);
}

/** Writes a balance without an event and without a look at the supply: for what the EVM moves while it executes. */
export function setExtendedBalance(
  context: Pick<Context, 'state' | 'parameters'>,
  address: string,
  amount: bigint,
): void {
  const units = unitsOf(context.parameters);
  setBalance(context, address, context.parameters.gasDenom, amount / units);
  if (units > 1n) setFraction(context, address, amount % units);
}

/** Moves an amount of the EVM's units, the whole ones with the bank's events. Errors: sdk/5 (insufficient funds). */
export function sendExtended(context: Paying, from: string, to: string, amount: bigint): void {
  const { gasDenom } = context.parameters;
  const units = unitsOf(context.parameters);
  if (units === 1n) {
    send(context, from, to, [{ denom: gasDenom, amount }]);
    return;
  }
  const held = extendedBalance(context.state, context.parameters, from);
  if (held < amount) {
    throw sdkError(
      'insufficientFunds',
      `spendable balance ${held}${context.parameters.evmDenom} is smaller than ${amount}${context.parameters.evmDenom}: insufficient funds`,
    );
  }
  if (from === to) return;
  const spent = held / units - (held - amount) / units;
  const before = extendedBalance(context.state, context.parameters, to);
  const received = (before + amount) / units - before / units;
  const reserve = moduleAddress(context.parameters, RESERVE);
  // a fraction that takes a whole unit apart, or completes one, passes it through the reserve
  const toReserve = spent - received;
  const direct = toReserve > 0n ? received : spent;
  if (direct > 0n) send(context, from, to, [{ denom: gasDenom, amount: direct }]);
  if (toReserve > 0n) send(context, from, reserve, [{ denom: gasDenom, amount: toReserve }]);
  if (toReserve < 0n) send(context, reserve, to, [{ denom: gasDenom, amount: -toReserve }]);
  setFraction(context, from, (held - amount) % units);
  setFraction(context, to, (before + amount) % units);
}

/**
 * Splits the changes of an execution, in the EVM's units, into the fractions, which it writes, and what the bank is to
 * mint and burn: whole units by account, and last what the reserve gets or gives for them.
 */
export function settleFractions(
  context: Pick<Context, 'state' | 'parameters'>,
  changes: readonly { readonly account: string; readonly change: bigint }[],
): readonly { readonly account: string; readonly change: bigint }[] {
  const units = unitsOf(context.parameters);
  if (units === 1n) return changes;
  let backed = 0n;
  const whole = changes.map(({ account, change }) => {
    const fraction = context.state.get(FRACTIONS, account) ?? 0n;
    const sum = fraction + change;
    const left = ((sum % units) + units) % units;
    setFraction(context, account, left);
    backed += left - fraction;
    return { account, change: (sum - left) / units };
  });
  // what the execution burnt below a unit stays with the reserve
  const reserved = backed >= 0n ? backed / units : -(-backed / units);
  const reserve = { account: moduleAddress(context.parameters, RESERVE), change: reserved };
  return [...whole, reserve].filter(({ change }) => change !== 0n);
}

/** Mints or burns whole units of the gas token for an account, through a module's account. */
export function changeWhole(
  context: Paying,
  through: string,
  { account, change }: { readonly account: string; readonly change: bigint },
): void {
  const coins = [{ denom: context.parameters.gasDenom, amount: change < 0n ? -change : change }];
  const address = moduleAddress(context.parameters, through);
  if (change > 0n) {
    mint(context, through, coins);
    send(context, address, account, coins);
  } else {
    send(context, account, address, coins);
    burn(context, through, coins);
  }
}

function setFraction({ state }: Pick<Context, 'state'>, address: string, amount: bigint): void {
  if (amount === 0n) state.delete(FRACTIONS, address);
  else state.set(FRACTIONS, address, amount);
}
