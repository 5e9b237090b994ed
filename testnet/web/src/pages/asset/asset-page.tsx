import { ErrorBoundary, useLocation } from 'preact-iso';
import type { Asset, AssetLiquidation } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { told, v1 } from '../../data/client.ts';
import { useDocumentName } from '../../data/documents.ts';
import { Answer } from '../../parts/answer.tsx';
import { AssetStatusBadge } from '../../parts/asset-status.tsx';
import { Choice } from '../../parts/button.tsx';
import { Hash } from '../../parts/hash.tsx';
import { lazyPart } from '../../parts/lazy-part.tsx';
import { Page } from '../../parts/page.tsx';
import { withQuery } from '../../parts/pager.tsx';
import { Together } from '../../parts/together.tsx';
import { WIND_UP_WORDS } from '../../text/assets.ts';
import { shorten } from '../../text/shorten.ts';
import { visibleText } from '../../text/visible.ts';
import css from './asset.module.css';
import { Checks } from './checks.tsx';
import { Events } from './events.tsx';
import { Holders } from './holders.tsx';
import { Income } from './income.tsx';
import { Kinds } from './kinds.tsx';
import { Liquidation } from './liquidation.tsx';
import { AssetOverview } from './overview.tsx';
import { Picture } from './picture.tsx';

// what signs is heavy: who only reads does not load it
const AssetActions = lazyPart(() => import('./actions.tsx').then((module) => module.AssetActions));

const EVERY_MS = 5_000;

const TABS = [
  ['overview', 'Overview'],
  ['kinds', 'Kinds'],
  ['income', 'Income'],
  ['holders', 'Holders'],
  ['picture', 'Picture'],
  ['liquidation', 'Liquidation'],
  ['events', 'Events'],
  ['checks', 'Checks'],
  ['actions', 'Actions'],
] as const;

type Tab = (typeof TABS)[number][0];

/** One asset: what it is, what it is made of, what it paid, who holds it. The tab stands in the URL. */
export function AssetPage({ id }: { readonly id: string }) {
  const asked = useAnswer(
    ['asset', id],
    async () => (await told(v1.GET('/v1/assets/{id}', { params: { path: { id } } }))).asset,
    { everyMs: EVERY_MS },
  );
  const liquidation = useAnswer(
    ['liquidation', id],
    () => told(v1.GET('/v1/assets/{id}/liquidation', { params: { path: { id } } })),
    { everyMs: EVERY_MS, enabled: asked.data !== undefined },
  );
  const { data: document } = useDocumentName(asked.data?.meta_hash);
  const name = document?.name;
  return (
    <Page
      title={name === undefined ? `Asset ${shorten(id, 6, 4)}` : visibleText(name)}
      lead={<Hash value={id} what="asset id" />}
      aside={asked.data !== undefined && <AssetStatusBadge status={asked.data.status} />}
    >
      <Answer asked={asked} rows={16} missing="There is no asset of this id.">
        {(asset) => (
          <Together key={id} asked={[liquidation]} rows={16}>
            <Tabs asset={asset} liquidation={liquidation.data} />
          </Together>
        )}
      </Answer>
    </Page>
  );
}

function Tabs({
  asset,
  liquidation,
}: {
  readonly asset: Asset;
  readonly liquidation: AssetLiquidation | undefined;
}) {
  const { url, query } = useLocation();
  const hasLiquidation =
    asset.status !== 'ASSET_STATUS_ACTIVE' ||
    (liquidation !== undefined && liquidation.waterfall.length > 0) ||
    query.tab === 'liquidation';
  const tabs = TABS.filter(([tab]) => tab !== 'liquidation' || hasLiquidation);
  const tab: Tab = tabs.find(([each]) => each === query.tab)?.[0] ?? 'overview';
  return (
    <>
      {asset.status !== 'ASSET_STATUS_ACTIVE' && <WindUp asset={asset} />}
      <Choice
        label="Parts of this page"
        options={tabs.map(([each, text]) => ({
          text,
          href: withQuery(url, {
            tab: each === 'overview' ? undefined : each,
            cursor: undefined,
            kind: undefined,
            of: undefined,
          }),
          isOn: each === tab,
        }))}
      />
      <Shown tab={tab} asset={asset} liquidation={liquidation} />
    </>
  );
}

function Shown({
  tab,
  asset,
  liquidation,
}: {
  readonly tab: Tab;
  readonly asset: Asset;
  readonly liquidation: AssetLiquidation | undefined;
}) {
  switch (tab) {
    case 'overview':
      return <AssetOverview asset={asset} />;
    case 'kinds':
      return <Kinds asset={asset} />;
    case 'income':
      return <Income asset={asset} />;
    case 'holders':
      return <Holders asset={asset} />;
    case 'picture':
      return <Picture asset={asset} />;
    case 'liquidation':
      return <Liquidation asset={asset} liquidation={liquidation} />;
    case 'events':
      return <Events id={asset.id} />;
    case 'checks':
      return <Checks asset={asset} />;
    case 'actions':
      return (
        <ErrorBoundary>
          <AssetActions asset={asset} />
        </ErrorBoundary>
      );
  }
}

/** Said on every tab: what an asset that is wound up still lets its holders do. */
function WindUp({ asset }: { readonly asset: Asset }) {
  const isOver = asset.status === 'ASSET_STATUS_LIQUIDATED';
  return (
    <div class={css.notice} role="note">
      <strong>{isOver ? 'This asset has been wound up.' : 'This asset is being wound up.'}</strong>
      <p>
        {WIND_UP_WORDS.works} {WIND_UP_WORDS.stops}
      </p>
    </div>
  );
}
