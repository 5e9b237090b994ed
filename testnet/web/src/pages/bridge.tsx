import { useLocation } from 'preact-iso';
import { useRoutes } from '../data/bridge.ts';
import { Choice } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { withQuery } from '../parts/pager.tsx';
import { Together } from '../parts/together.tsx';
import { visibleText } from '../text/visible.ts';
import { RouteOf } from './bridge/route-of.tsx';
import { Routes } from './bridge/routes.tsx';
import { Transfers } from './bridge/transfers.tsx';

const ASK_MS = 5_000;

/** Ways to other chains: `?tab=transfers` lists what moved over all of them, `?route=` is one of them with its transfers. */
export function Bridge() {
  const { query, url } = useLocation();
  const routes = useRoutes(ASK_MS);
  const routeOf = (id: string) => routes.data?.routes.find(({ route_id }) => route_id === id);
  if (query.route !== undefined)
    return (
      <Page title={`Bridge route ${visibleText(query.route)}`} aside={<a href="/bridge">All routes</a>}>
        <Together key={query.route} asked={[routes]} rows={12}>
          <RouteOf asked={routes} id={query.route} />
          <Transfers route={query.route} routeOf={routeOf} />
        </Together>
      </Page>
    );
  const isTransfers = query.tab === 'transfers';
  const to = (tab: string | undefined) => withQuery(url, { tab, cursor: undefined, status: undefined });
  return (
    <Page
      title="Bridge"
      lead="Routes over which coins and rights go to another chain and come back. What is away is held here, or exists here only as long as it is held there."
    >
      <div>
        <Choice
          label="What to show"
          options={[
            { text: 'Routes', href: to(undefined), isOn: !isTransfers },
            { text: 'Transfers', href: to('transfers'), isOn: isTransfers },
          ]}
        />
      </div>
      {isTransfers ? (
        <Together asked={[routes]} rows={20}>
          <Transfers routeOf={routeOf} />
        </Together>
      ) : (
        <Routes asked={routes} />
      )}
    </Page>
  );
}
