import { useLocation } from 'preact-iso';
import { useChain } from '../data/chain.ts';
import { Answer } from '../parts/answer.tsx';
import { Choice } from '../parts/button.tsx';
import { Page, Section } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { wallet } from '../wallet/in-use.ts';
import { AccountFacts } from './wallet/account-facts.tsx';
import { ChooseWallet } from './wallet/choose-wallet.tsx';
import { Claims } from './wallet/claims.tsx';
import { nextPath } from './wallet/next-path.ts';
import { SendCoins } from './wallet/send-coins.tsx';
import { SendUnits } from './wallet/send-units.tsx';
import { WalletItself } from './wallet/wallet-itself.tsx';

const ACTS = [
  { id: 'send', text: 'Send coins' },
  { id: 'units', text: 'Transfer units' },
  { id: 'claim', text: 'Claim income' },
] as const;

export function Wallet() {
  const { url, query } = useLocation();
  const chain = useChain();
  const kept = wallet.value;
  const act = ACTS.find(({ id }) => id === query.do)?.id ?? 'send';
  const next = nextPath(query.next);
  return (
    <Page
      title="Wallet"
      lead={
        kept === undefined
          ? 'What you sign with. Coins and assets on this chain have no value.'
          : 'What this browser signs with, and what it holds.'
      }
      aside={kept !== undefined && next !== undefined ? <a href={next}>Back to where you were</a> : undefined}
    >
      <Answer asked={chain} rows={8}>
        {(facts) =>
          kept === undefined ? (
            <ChooseWallet chain={facts} />
          ) : (
            <>
              <AccountFacts kept={kept} chain={facts} />
              <Section
                title="Do something"
                aside={
                  <Choice
                    label="What to do"
                    options={ACTS.map(({ id, text }) => ({
                      text,
                      href: withQuery(url, { do: id }),
                      isOn: id === act,
                    }))}
                  />
                }
              >
                {act === 'send' && <SendCoins kept={kept} chain={facts} />}
                {act === 'units' && <SendUnits kept={kept} chain={facts} />}
                {act === 'claim' && <Claims kept={kept} chain={facts} />}
              </Section>
              <WalletItself kept={kept} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}
