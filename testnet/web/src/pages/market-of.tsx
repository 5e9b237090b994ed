import { useLocation, useRoute } from 'preact-iso';
import type { Prices } from '../../../../clients/ts/src/client.ts';
import { useAssetFacts } from '../data/assets.ts';
import { denomText, useChain } from '../data/chain.ts';
import { useDocumentName } from '../data/documents.ts';
import { useHasPools, usePrices } from '../data/markets.ts';
import { Amount } from '../parts/amount.tsx';
import { Answer } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { Choice } from '../parts/button.tsx';
import { TimeChart } from '../parts/chart.tsx';
import { Hash } from '../parts/hash.tsx';
import { Facts, Figures, Page, Section } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';
import { changeOverRange, RANGE_WORDS, RANGES, rangeOf } from '../text/markets.ts';
import { shorten } from '../text/shorten.ts';
import { visibleText } from '../text/visible.ts';
import { ChangeText } from './market/change.tsx';
import css from './market/market.module.css';

/** What one asset (or the gas coin) costs, over a range of time, and where that price comes from. */
export function MarketOf() {
  const asset = useRoute().params.asset ?? '';
  const { query, url } = useLocation();
  const range = rangeOf(query.range);
  const asked = usePrices(asset, range);
  const hasPools = useHasPools();
  const isNative = asset === 'native';
  const name = useName(asset);
  return (
    <Page
      title={`Price of ${name}`}
      lead={isNative ? 'The coin that pays for transactions.' : <AssetLink id={asset} />}
      aside={<a href="/market">All prices</a>}
    >
      {hasPools === false || asked.error?.status === 404 ? (
        <NoPool asset={asset} />
      ) : (
        <>
          <Choice
            label="Range of the chart"
            options={RANGES.map((one) => ({
              text: RANGE_WORDS[one],
              href: withQuery(url, { range: one === '1d' ? undefined : one }),
              isOn: one === range,
            }))}
          />
          <Answer asked={asked} rows={20}>
            {(prices) => <Told prices={prices} name={name} />}
          </Answer>
        </>
      )}
    </Page>
  );
}

function useName(asset: string): string {
  const { data: chain } = useChain();
  const { data: facts } = useAssetFacts(asset === 'native' ? undefined : asset);
  const { data: document } = useDocumentName(facts?.metaHash);
  if (asset === 'native') return chain?.gas_symbol ?? 'the gas coin';
  return document === undefined || document === null ? shorten(asset, 6, 4) : visibleText(document.symbol);
}

function Told({ prices, name }: { readonly prices: Prices; readonly name: string }) {
  const { data: chain } = useChain();
  const { quote_decimals: decimals, base_decimals, reserves } = prices;
  const { symbol } = denomText(chain, prices.quote_denom);
  const range = rangeOf(prices.range);
  const change = changeOverRange(prices, range);
  const quote = (value: string) => <Amount value={value} decimals={decimals} symbol={symbol} />;
  return (
    <>
      <div class={css.chart}>
        <p class={css.head}>
          <span class={css.price}>
            <Amount value={prices.price} decimals={decimals} symbol={symbol} maxFraction={6} />
          </span>
          {change !== undefined && (
            <>
              <ChangeText bps={change} /> <span class="soft">{CHANGE_WORDS[range]}</span>
            </>
          )}
        </p>
        <TimeChart
          label={`${symbol} for one ${name}`}
          kind="line"
          unit={{ decimals, symbol }}
          points={prices.points.map(({ time, price }) => ({ at: time, value: price }))}
        />
      </div>
      <Figures
        rows={[
          ['Volume in 24 hours', quote(prices.volume_24h)],
          ['Swaps in 24 hours', countText(prices.swaps_24h)],
          ['24 hours ago', quote(prices.price_24h_ago)],
          ['Change in 24 hours', <ChangeText key="c" bps={prices.change_24h_bps} />],
        ]}
      />
      <Section title="Where the price comes from">
        <p>
          The pool holds <Amount value={reserves.base} decimals={base_decimals} symbol={name} /> and{' '}
          {quote(reserves.quote)}. The price is the second divided by the first, rounded down, as of the
          pool's last change. Every swap adds to one side and takes from the other, which moves the price; a
          big swap gets a worse price than the one shown.
        </p>
        <Facts
          rows={[
            ['As of', <AsOf key="a" prices={prices} />],
            [
              'Pool',
              <Hash key="p" value={prices.pair} href={`/account/${prices.pair}`} what="pool address" whole />,
            ],
            [`Token of ${name}`, <Hash key="b" value={prices.base_token} what="token address" whole />],
            [`Token of ${symbol}`, <Hash key="q" value={prices.quote_token} what="token address" whole />],
          ]}
        />
      </Section>
    </>
  );
}

const CHANGE_WORDS = {
  '1d': 'in 24 hours',
  '1w': 'in the week shown',
  '1m': 'in the month shown',
  all: 'since the first price',
} as const;

function AsOf({ prices }: { readonly prices: Prices }) {
  return (
    <>
      <Time at={prices.as_of} />, <a href={`/block/${prices.height}`}>block {countText(prices.height)}</a>
    </>
  );
}

function NoPool({ asset }: { readonly asset: string }) {
  const isUnknown = useAssetFacts(asset === 'native' ? undefined : asset).error?.status === 404;
  if (isUnknown)
    return (
      <div class={css.missing}>
        <strong>There is no asset of this id.</strong>
        <p>
          Look for it among <a href="/assets">all assets</a>, or <a href="/market">see what has a price</a>.
        </p>
      </div>
    );
  return (
    <div class={css.missing}>
      <strong>{asset === 'native' ? 'The gas coin has no pool yet.' : 'This asset has no pool yet.'}</strong>
      <p>
        A price exists once somebody has put the asset and the stable coin together into a pool of the
        exchange. Until then it may still change hands: by a settlement between two parties, or at the desk
        where the desk trades it.
      </p>
      <p>
        {asset !== 'native' && (
          <>
            <a href={`/asset/${asset}`}>Look at the asset</a>, <a href="/settlements">at settlements</a>, or{' '}
          </>
        )}
        <a href="/market">see what has a price</a>.
      </p>
    </div>
  );
}
