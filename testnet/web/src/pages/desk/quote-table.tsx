import { useLocation } from 'preact-iso';
import type { KindClass } from '../../../../../clients/ts/src/client.ts';
import type { ChainFacts } from '../../data/chain.ts';
import { Amount } from '../../parts/amount.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { kindName } from '../../text/kinds.ts';
import { noQuoteText } from './no-quote.ts';
import type { DeskFacts, Quote } from './quotes.ts';

/** What the desk buys and sells at, a price each side a link to the form. */
export function QuoteTable({
  quotes,
  desk,
  chain,
}: {
  readonly quotes: readonly Quote[];
  readonly desk: DeskFacts;
  readonly chain: ChainFacts;
}) {
  const { url } = useLocation();
  const price = (quote: Quote, side: 'buy' | 'sell') => {
    const value = side === 'buy' ? quote.ask : quote.bid;
    if (value === null)
      return (
        <span class="soft" title={noQuoteText(desk, quote.symbol)}>
          not quoted now
        </span>
      );
    return (
      <a href={withQuery(url, { symbol: quote.symbol, kind: String(quote.kind), side })}>
        <span class="visually-hidden">
          {side === 'buy' ? 'Buy' : 'Sell'} {quote.symbol}, {partText(desk, quote)}, at{' '}
        </span>
        <Amount value={value} decimals={chain.stable_decimals} symbol={chain.stable_symbol} />
      </a>
    );
  };
  return (
    <Table
      label="Quotes, for one unit"
      rows={quotes}
      keyOf={({ symbol, kind }) => `${symbol}/${kind}`}
      columns={[
        {
          head: 'Asset',
          cell: (quote) => {
            const id = desk.instruments.find(({ symbol }) => symbol === quote.symbol)?.asset_id;
            const name = (
              <>
                <ChainText text={quote.name} /> <span class="soft">{quote.symbol}</span>
              </>
            );
            return id === undefined ? name : <a href={`/asset/${id}`}>{name}</a>;
          },
        },
        { head: 'What', cell: (quote) => partText(desk, quote) },
        { head: 'Buy at', right: true, cell: (quote) => price(quote, 'buy') },
        { head: 'Sell at', right: true, cell: (quote) => price(quote, 'sell') },
      ]}
    />
  );
}

/** `Whole share`, `Income 1` */
export function partText(desk: DeskFacts, { symbol, kind }: Pick<Quote, 'symbol' | 'kind'>): string {
  if (kind < 0) return 'Whole share';
  const kindClass = desk.instruments
    .find((instrument) => instrument.symbol === symbol)
    ?.kinds.find(({ kind_id }) => kind_id === kind)?.class as KindClass | undefined;
  return kindClass === undefined ? `Kind ${kind}` : kindName(kindClass, kind);
}
