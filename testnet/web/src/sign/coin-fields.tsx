import { type ChainFacts, denomText } from '../data/chain.ts';
import { Coin } from '../parts/amount.tsx';
import { AmountField } from '../parts/amount-field.tsx';
import { Select } from '../parts/field.tsx';

/** Which coin and how much of it, with what the account has. `held` is left out where nobody knows. */
export function CoinFields({
  chain,
  denoms,
  denom,
  onDenom,
  amount,
  onAmount,
  error,
  held,
}: {
  readonly chain: ChainFacts;
  readonly denoms: readonly string[];
  readonly denom: string;
  onDenom(denom: string): void;
  readonly amount: string;
  onAmount(amount: string): void;
  readonly error: string | undefined;
  readonly held: string | undefined;
}) {
  const { symbol, decimals } = denomText(chain, denom);
  return (
    <>
      <Select
        label="Coin"
        value={denom}
        onInput={onDenom}
        options={denoms.map((one) => ({ value: one, text: denomText(chain, one).symbol }))}
      />
      <AmountField
        label="Amount"
        value={amount}
        onInput={onAmount}
        decimals={decimals}
        symbol={symbol}
        error={error}
        hint={
          held === undefined ? (
            `in ${symbol}`
          ) : (
            <>
              You have <Coin amount={held} denom={denom} />.
            </>
          )
        }
      />
    </>
  );
}
