import { useLocation } from 'preact-iso';
import { type ChainFacts, useChain } from '../data/chain.ts';
import { Answer, Empty } from '../parts/answer.tsx';
import { Page, Section } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { WalletNeeded } from '../sign/wallet-needed.tsx';
import { durationText } from '../text/times.ts';
import { wallet } from '../wallet/in-use.ts';
import { noQuoteText } from './desk/no-quote.ts';
import { ProposalPanel } from './desk/proposal.tsx';
import { QuoteTable } from './desk/quote-table.tsx';
import { type DeskFacts, useDesk, useQuotes } from './desk/quotes.ts';
import { TradeForm } from './desk/trade-form.tsx';

/** Who trades with whoever asks. */
export function Desk() {
  const chain = useChain();
  const desk = useDesk();
  return (
    <Page
      title="Desk"
      lead="An automatic trader of this testnet. It buys and sells test assets around the market's price: whole shares, or one kind of their rights alone."
    >
      <Answer asked={chain} rows={10}>
        {(facts) => (
          <Answer asked={desk} rows={10} missing="This app has no desk.">
            {(told) => <Trading chain={facts} desk={told} />}
          </Answer>
        )}
      </Answer>
    </Page>
  );
}

/** Assets without a quote, and why. */
function Closed({ desk }: { readonly desk: DeskFacts }) {
  const closed = desk.instruments.filter((instrument) => instrument.closed !== null);
  if (closed.length === 0) return null;
  return (
    <ul class="soft">
      {closed.map(({ symbol }) => (
        <li key={symbol}>
          {symbol}: {noQuoteText(desk, symbol)}
        </li>
      ))}
    </ul>
  );
}

function Trading({ chain, desk }: { readonly chain: ChainFacts; readonly desk: DeskFacts }) {
  const { url, query, route } = useLocation();
  const quotes = useQuotes();
  const id = /^\d{1,15}$/.test(query.proposal ?? '') ? Number(query.proposal) : undefined;
  const kept = wallet.value;
  const show = (proposal: number | undefined): void =>
    route(withQuery(url, { proposal: proposal === undefined ? undefined : String(proposal) }));
  return (
    <>
      {id !== undefined && (
        <Section title="The desk's proposal">
          {kept === undefined ? (
            <WalletNeeded what="To accept it" />
          ) : (
            <ProposalPanel
              key={id}
              id={id}
              kept={kept}
              chain={chain}
              desk={desk}
              onClose={() => show(undefined)}
            />
          )}
        </Section>
      )}
      <Answer asked={quotes} rows={10}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>
              The desk trades nothing yet. Its assets show here as soon as it does; look again in a minute.
            </Empty>
          ) : (
            <>
              {id === undefined && (
                <Section title="Ask for a trade">
                  <TradeForm
                    quotes={rows}
                    desk={desk}
                    chain={chain}
                    onProposed={(told) => show(told.settlement_id)}
                  />
                  <p class="soft">
                    The desk answers with a proposal on the chain, with its side locked for{' '}
                    {durationText(desk.proposal_seconds)}. It moves when you accept it, both sides in one
                    block. You may ask 5 times in 10 minutes.
                  </p>
                </Section>
              )}
              <Section title="Quotes, for one unit">
                <QuoteTable quotes={rows} desk={desk} chain={chain} />
                <p class="soft">
                  Selling the income kind alone sells the next payouts and keeps ownership and vote.
                </p>
                <Closed desk={desk} />
              </Section>
            </>
          )
        }
      </Answer>
    </>
  );
}
