import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Prices } from '../../../../clients/ts/src/client.ts';
import { denomText, useChain } from '../data/chain.ts';
import { AskError } from '../data/errors.ts';
import { useDayPrices, useHasPools, useInstruments } from '../data/markets.ts';
import { Amount, Coin } from '../parts/amount.tsx';
import { Empty, Failed } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Hash } from '../parts/hash.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Table } from '../parts/table.tsx';
import { Together } from '../parts/together.tsx';
import { countText } from '../text/amounts.ts';
import { pricedAsset } from '../text/markets.ts';
import { ChangeText } from './market/change.tsx';
import css from './market/market.module.css';

interface Row {
  readonly asset: string;
  readonly prices: Prices | AskError | undefined;
}

/** What things cost in the exchange's pools: the gas coin, and what the desk trades; any other asset by its id. */
export function Market() {
  const instruments = useInstruments();
  const hasPools = useHasPools();
  const assets =
    hasPools === true ? ['native', ...(instruments.data ?? []).map(({ asset_id }) => asset_id)] : [];
  const prices = useDayPrices(assets);
  const rows: readonly Row[] = assets.map((asset, at) => ({ asset, prices: prices[at] }));
  return (
    <Page
      title="Market"
      lead="Prices of the exchange's pools. Coins and assets of this testnet have no value; these are the ratios at which they are swapped."
    >
      <Together
        asked={[instruments, ...rows.map((row) => ({ isWaiting: row.prices === undefined }))]}
        rows={8}
      >
        {hasPools === false ? (
          <Empty>This chain has no exchange that the indexer reads, so that nothing has a price.</Empty>
        ) : (
          <Table
            label="Prices"
            rows={rows}
            keyOf={({ asset }) => asset}
            hrefOf={({ asset }) => `/market/${asset}`}
            columns={[
              { head: 'What', cell: ({ asset }) => <What asset={asset} /> },
              {
                head: 'Price',
                right: true,
                cell: ({ prices: at }) => <Told at={at} of={(told) => told.price} />,
              },
              {
                head: '24 hours',
                right: true,
                cell: ({ prices: at }) =>
                  at === undefined || at instanceof AskError ? (
                    <span class="soft">{at === undefined ? '…' : '—'}</span>
                  ) : (
                    <ChangeText bps={at.change_24h_bps} />
                  ),
              },
              {
                head: 'Volume in 24 hours',
                right: true,
                // the chart's page has it; two lines a row are left, whatever the figures
                phone: 'no',
                cell: ({ prices: at }) => <Told at={at} of={(told) => told.volume_24h} />,
              },
              {
                head: 'Swaps in 24 hours',
                right: true,
                phone: 'no',
                cell: ({ prices: at }) =>
                  at === undefined || at instanceof AskError ? (
                    <span class="soft">{at === undefined ? '…' : '—'}</span>
                  ) : (
                    countText(at.swaps_24h)
                  ),
              },
              {
                head: 'Chart',
                right: true,
                phone: 'no',
                cell: ({ asset }) => <a href={`/market/${asset}`}>Chart</a>,
              },
            ]}
          />
        )}
        {instruments.error !== undefined && <Failed error={instruments.error} retry={instruments.retry} />}
        <Section title="Another asset">
          <OtherAsset />
        </Section>
        {hasPools === true && (
          <Section title="Swapping">
            <Swapping />
          </Section>
        )}
      </Together>
    </Page>
  );
}

/** What a page cannot do, and who can. */
function Swapping() {
  const { data: chain } = useChain();
  const router = chain?.contracts?.router ?? undefined;
  return (
    <>
      <p>
        These pages show swaps and make none. An Ethereum wallet makes them: it calls the exchange's router,
        which swaps at the pools. To trade with one signature and at a price told beforehand, ask{' '}
        <a href="/desk">the desk</a>.
      </p>
      {router !== undefined && (
        <Facts rows={[['Router', <Hash key="router" value={router} whole what="router's address" />]]} />
      )}
    </>
  );
}

function What({ asset }: { readonly asset: string }) {
  const { data: chain } = useChain();
  if (asset !== 'native') return <AssetLink id={asset} />;
  return (
    <span>
      <a href="/market/native">{chain?.gas_symbol ?? 'The gas coin'}</a>{' '}
      <span class="soft">pays for transactions</span>
    </span>
  );
}

function Told({
  at,
  of,
}: {
  readonly at: Prices | AskError | undefined;
  readonly of: (prices: Prices) => string;
}) {
  const { data: chain } = useChain();
  if (at === undefined) return <span class="soft">…</span>;
  if (at instanceof AskError)
    return <span class="soft">{at.status === 404 ? 'no pool yet' : 'no answer'}</span>;
  const { symbol } = denomText(chain, at.quote_denom);
  return symbol === at.quote_denom ? (
    <Amount value={of(at)} decimals={at.quote_decimals} symbol={symbol} />
  ) : (
    <Coin amount={of(at)} denom={at.quote_denom} />
  );
}

function OtherAsset() {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const [isWrong, setWrong] = useState(false);
  const open = (event: Event): void => {
    event.preventDefault();
    const asset = pricedAsset(text);
    setWrong(asset === undefined);
    if (asset !== undefined) route(`/market/${asset}`);
  };
  return (
    <form class={css.other} onSubmit={open}>
      <Field
        label="Asset id"
        value={text}
        onInput={(value) => {
          setText(value);
          setWrong(false);
        }}
        mono
        hint="64 letters and digits, as the asset's page shows and copies it."
        error={isWrong ? 'This is no asset id: it has 64 letters and digits, 0 to 9 and a to f.' : undefined}
      />
      <Button type="submit">Show its price</Button>
    </form>
  );
}
