import { useLocation } from 'preact-iso';
import type { BridgeRouteList, InvariantReport } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { told, v1 } from '../data/client.ts';
import { status, statusError } from '../data/live.ts';
import { Answer } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { Badge } from '../parts/badge.tsx';
import { Page } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { Together } from '../parts/together.tsx';
import { driftWords } from '../text/check-rows.ts';
import css from './checks/checks.module.css';
import { Differences } from './checks/drift.tsx';
import { ModuleChecks, RouteChecks, TokenChecks, UnitChecks } from './checks/sections.tsx';

const ASK_MS = 15_000;

/** How the indexer's figures are held against the chain's own: `?asset=` keeps one asset's, `?show=` shows all of one kind. */
export function Checks() {
  const { query, url } = useLocation();
  const asset = query.asset;
  const report = useAnswer(
    ['invariants', asset],
    () => told(v1.GET('/v1/invariants', { params: { query: asset === undefined ? {} : { asset } } })),
    { everyMs: ASK_MS },
  );
  const routes = useAnswer(['bridge', 'routes'], () => told(v1.GET('/v1/bridge/routes')), {
    everyMs: ASK_MS,
  });
  return (
    <Page
      title="Checks"
      lead="The indexer works everything out from the chain's events. Now and then it asks the chain itself, and holds the answers against its own figures."
    >
      <Together
        asked={[report, routes, { isWaiting: status.value === undefined && statusError.value === undefined }]}
        rows={20}
      >
        <Drift />
        {asset !== undefined && (
          <p>
            Only those of <AssetLink id={asset} /> <a href={withQuery(url, { asset: undefined })}>Show all</a>
          </p>
        )}
        <Answer asked={report} rows={20}>
          {(data) => <Sections report={data} routes={routes.data} asset={asset} />}
        </Answer>
      </Together>
    </Page>
  );
}

function Sections({
  report,
  routes,
  asset,
}: {
  readonly report: InvariantReport;
  readonly routes: BridgeRouteList | undefined;
  readonly asset: string | undefined;
}) {
  const ofAsset = (routes?.routes ?? []).filter(({ asset_id }) => asset === undefined || asset_id === asset);
  return (
    <>
      <Differences rows={report.drift} />
      <ModuleChecks checks={report.exports} />
      <UnitChecks checks={report.checks} />
      <TokenChecks checks={report.tok20_registry} />
      <RouteChecks routes={ofAsset} />
    </>
  );
}

function Drift() {
  const at = status.value;
  return (
    <div class={css.drift}>
      {at !== undefined && (
        <>
          <Badge tone={at.drift_total === 0 ? 'good' : 'bad'}>
            {at.drift_total === 0 ? 'All agrees' : `${at.drift_total} recorded`}
          </Badge>
          <p>{driftWords(at.drift_total)}</p>
        </>
      )}
    </div>
  );
}
