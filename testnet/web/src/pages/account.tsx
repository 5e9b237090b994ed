import { useLocation, useRoute } from 'preact-iso';
import type { Account } from '../../../../clients/ts/src/client.ts';
import { useAccount } from '../data/accounts.ts';
import { useBalances } from '../data/balances.ts';
import { useChain } from '../data/chain.ts';
import { told, v1 } from '../data/client.ts';
import { myAddress } from '../data/me.ts';
import { type Asked, useAsk } from '../data/queries.ts';
import { Answer } from '../parts/answer.tsx';
import { Choice } from '../parts/button.tsx';
import { Page, Section } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { Together } from '../parts/together.tsx';
import { countText } from '../text/amounts.ts';
import css from './account/account.module.css';
import { Activity } from './account/activity.tsx';
import { Attestations } from './account/attestations.tsx';
import { Bridge } from './account/bridge.tsx';
import { Delegations } from './account/delegations.tsx';
import { Head } from './account/head.tsx';
import { Income } from './account/income.tsx';
import { Locks } from './account/locks.tsx';
import { Positions } from './account/positions.tsx';
import { AccountQuests } from './account/quests.tsx';
import { Settlements } from './account/settlements.tsx';
import { AccountTxs } from './account/txs.tsx';

/** An account in either form of its address: what it has, what binds it, what it may claim, and what it did. */
export function AccountOfUrl() {
  const asked = useRoute().params.address ?? '';
  const account = useAccount(asked);
  const { data: chain } = useChain();
  const balances = useBalances(chain, account.data?.address);
  const txCount = useTxCount(account.data?.address);
  const isMine = account.data !== undefined && account.data.address === myAddress.value;
  return (
    <Page title={isMine ? 'Your account' : 'Account'}>
      <Answer asked={account} rows={12}>
        {(data) => (
          <Together key={data.address} asked={[txCount, balances]} rows={12}>
            <Head account={data} balances={balances} />
            <Tabs account={data} isMine={isMine} txCount={txCount.data} />
          </Together>
        )}
      </Answer>
    </Page>
  );
}

function Tabs({
  account,
  isMine,
  txCount,
}: {
  readonly account: Account;
  readonly isMine: boolean;
  readonly txCount: number | undefined;
}) {
  const { query, url } = useLocation();
  const { address } = account;
  const tabs: readonly { readonly id: string; readonly text: string; readonly count?: number | undefined }[] =
    [
      { id: 'positions', text: 'Positions', count: account.assets.length },
      { id: 'income', text: 'Income', count: account.claimable.length },
      { id: 'locks', text: 'Locked', count: account.locks.length },
      { id: 'settlements', text: 'Settlements', count: account.pending_settlements.length },
      { id: 'delegations', text: 'Delegations', count: account.delegations.length },
      { id: 'attestations', text: 'Attestations', count: account.attestations.length },
      { id: 'bridge', text: 'Bridge' },
      { id: 'activity', text: 'Activity' },
      { id: 'quests', text: 'Quests' },
      { id: 'txs', text: 'Transactions', count: txCount },
    ];
  const tab = tabs.find(({ id }) => id === query.tab) ?? tabs[0];
  return (
    <>
      {txCount === 0 && account.assets.length === 0 && <Fresh isMine={isMine} />}
      <Choice
        label="Parts of the account"
        options={tabs.map(({ id, text, count }) => ({
          text: count === undefined || count === 0 ? text : `${text} (${countText(count)})`,
          href: withQuery(url, {
            tab: id === 'positions' ? undefined : id,
            cursor: undefined,
            method: undefined,
          }),
          isOn: id === tab?.id,
        }))}
      />
      <Section title={tab?.text ?? ''}>
        {tab?.id === 'positions' && <Positions assets={account.assets} />}
        {tab?.id === 'income' && <Income claimable={account.claimable} isMine={isMine} />}
        {tab?.id === 'locks' && <Locks locks={account.locks} />}
        {tab?.id === 'settlements' && <Settlements pending={account.pending_settlements} address={address} />}
        {tab?.id === 'delegations' && (
          <Delegations delegations={account.delegations} votes={account.voting_power} address={address} />
        )}
        {tab?.id === 'attestations' && <Attestations attestations={account.attestations} />}
        {tab?.id === 'bridge' && <Bridge address={address} />}
        {tab?.id === 'txs' && <AccountTxs address={address} />}
        {tab?.id === 'activity' && <Activity address={address} />}
        {tab?.id === 'quests' && <AccountQuests address={address} isMine={isMine} />}
      </Section>
    </>
  );
}

function Fresh({ isMine }: { readonly isMine: boolean }) {
  return (
    <div class={css.fresh}>
      <strong>Nothing has been recorded of this account yet.</strong>
      {isMine ? (
        <p>
          <a href="/faucet">The faucet</a> gives it coins to begin with.
        </p>
      ) : (
        <p>An account shows here what it does, from its first transaction on.</p>
      )}
    </div>
  );
}

const COUNT_MS = 10_000;

function useTxCount(address: string | undefined): Asked<number> {
  return useAsk(
    ['account-tx-count', address],
    async () => {
      const params = { path: { addr: address ?? '' }, query: { limit: 1 } };
      return (await told(v1.GET('/v1/accounts/{addr}/txs', { params }))).total;
    },
    { everyMs: COUNT_MS, enabled: address !== undefined },
  );
}
