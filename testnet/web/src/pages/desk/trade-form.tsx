import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ChainFacts } from '../../data/chain.ts';
import { asAskError } from '../../data/errors.ts';
import { Amount } from '../../parts/amount.tsx';
import { AmountField } from '../../parts/amount-field.tsx';
import { Choice } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Form } from '../../sign/form.tsx';
import { WalletNeeded } from '../../sign/wallet-needed.tsx';
import { amountText } from '../../text/amounts.ts';
import { readPositive } from '../../text/typed-amount.ts';
import { wallet } from '../../wallet/in-use.ts';
import { costOf, type Side } from './costs.ts';
import css from './desk.module.css';
import { noQuoteText } from './no-quote.ts';
import { partText } from './quote-table.tsx';
import { askForQuote, type DeskFacts, type Proposal, type Quote } from './quotes.ts';
import { deskRefusal } from './refusals.ts';

/** What to trade, and what it costs at the price that is shown, before anything is asked. */
export function TradeForm({
  quotes,
  desk,
  chain,
  onProposed,
}: {
  readonly quotes: readonly Quote[];
  readonly desk: DeskFacts;
  readonly chain: ChainFacts;
  onProposed(proposal: Proposal): void;
}) {
  const { url, query, route } = useLocation();
  const [units, setUnits] = useState('1');
  const [state, setState] = useState<{ readonly isAsking: boolean; readonly refusal: string }>({
    isAsking: false,
    refusal: '',
  });
  const side: Side = query.side === 'sell' ? 'sell' : 'buy';
  const quote =
    quotes.find(({ symbol, kind }) => symbol === query.symbol && String(kind) === query.kind) ?? quotes[0];
  const kept = wallet.value;
  if (quote === undefined) return null;
  const instrument = desk.instruments.find(({ symbol }) => symbol === quote.symbol);
  const decimals = instrument?.decimals ?? 6;
  const largest = instrument?.closed === null ? instrument.max_trade : desk.max_trade;
  const price = side === 'buy' ? quote.ask : quote.bid;
  const read = readPositive(units, decimals);
  const cost =
    price === null || read.units === undefined ? undefined : costOf(side, price, read.units, decimals);
  const wrong =
    read.units === undefined
      ? read.wrong
      : cost !== undefined && cost > BigInt(largest)
        ? `The desk trades at most ${amountText(largest, chain.stable_decimals).short} ${chain.stable_symbol} of this at a time.`
        : undefined;
  const ask = async (address: string): Promise<void> => {
    if (read.units === undefined || wrong !== undefined) return;
    setState({ isAsking: true, refusal: '' });
    try {
      const { symbol, kind } = quote;
      onProposed(await askForQuote({ address, symbol, kind, side, units: String(read.units) }));
    } catch (error) {
      setState({ isAsking: false, refusal: deskRefusal(asAskError(error)) });
    }
  };
  const stable = { decimals: chain.stable_decimals, symbol: chain.stable_symbol };
  return (
    <div class={css.form}>
      <Choice
        label="Side"
        options={(['buy', 'sell'] as const).map((one) => ({
          text: one === 'buy' ? 'You buy' : 'You sell',
          href: withQuery(url, { side: one }),
          isOn: one === side,
        }))}
      />
      <Form
        button={state.isAsking ? 'The desk proposes…' : 'Ask for this trade'}
        disabled={kept === undefined || price === null || state.isAsking}
        onSubmit={() => kept !== undefined && void ask(kept.address)}
      >
        <Select
          label="What"
          value={`${quote.symbol}/${quote.kind}`}
          onInput={(value) => {
            const [symbol, kind] = value.split('/');
            route(withQuery(url, { symbol, kind }), true);
          }}
          options={quotes.map((one) => ({
            value: `${one.symbol}/${one.kind}`,
            text: `${one.symbol}, ${partText(desk, one)}`,
          }))}
        />
        <AmountField label="Units" value={units} onInput={setUnits} decimals={decimals} error={wrong} />
        <p class={css.cost}>
          {price === null ? (
            noQuoteText(desk, quote.symbol)
          ) : cost === undefined || wrong !== undefined ? (
            ' '
          ) : (
            <>
              {side === 'buy' ? 'You pay' : 'You get'} about{' '}
              <Amount value={cost} {...stable} maxFraction={stable.decimals} />, at{' '}
              <Amount value={price} {...stable} maxFraction={stable.decimals} /> a unit. The proposal says it
              exactly.
            </>
          )}
        </p>
      </Form>
      <p class={css.error} role="alert">
        {state.refusal}
      </p>
      {kept === undefined && <WalletNeeded what="To trade" />}
    </div>
  );
}
