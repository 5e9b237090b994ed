import { denomText, useChain } from '../data/chain.ts';
import { amountText, hugeText } from '../text/amounts.ts';
import css from './amount.module.css';

/** Base units with their decimals and symbol; every digit on hover, never rounded up. */
export function Amount({
  value,
  decimals,
  symbol,
  maxFraction,
}: {
  readonly value: string | bigint | number;
  readonly decimals: number;
  readonly symbol?: string;
  readonly maxFraction?: number;
}) {
  const { short, exact } = amountText(value, decimals, maxFraction);
  const unit = symbol === undefined ? '' : ` ${symbol}`;
  return (
    <span class={css.amount} title={`${exact}${unit}`}>
      {hugeText(short)}
      {symbol !== undefined && <span class={css.symbol}>{symbol}</span>}
    </span>
  );
}

/** A coin of the chain, by its denom. */
export function Coin({
  amount,
  denom,
  exact = false,
  maxFraction,
}: {
  readonly amount: string;
  readonly denom: string;
  /** Every digit: for what is about to be signed. */
  readonly exact?: boolean;
  readonly maxFraction?: number;
}) {
  const { data: chain } = useChain();
  const { symbol, decimals } = denomText(chain, denom);
  return (
    <Amount
      value={amount}
      decimals={decimals}
      symbol={symbol}
      {...(exact ? { maxFraction: decimals } : maxFraction === undefined ? {} : { maxFraction })}
    />
  );
}
