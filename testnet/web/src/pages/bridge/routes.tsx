import type { BridgeRoute, BridgeRouteList } from '../../../../../clients/ts/src/client.ts';
import type { Asked } from '../../data/queries.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Bridged } from '../../parts/bridged.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { checkWords, DIRECTIONS, routeStatus, windowUse } from '../../text/bridge.ts';
import css from './bridge.module.css';

export function routeHref(id: string): string {
  return `/bridge?${new URLSearchParams({ route: id })}`;
}

/** Every route with what it moves, how much of it is away, how much of its limit is used, and its check. */
export function Routes({ asked }: { readonly asked: Asked<BridgeRouteList> }) {
  return (
    <Answer asked={asked} rows={20}>
      {({ routes }) =>
        routes.length === 0 ? (
          <Empty>This chain has no route to another one yet. The bridge's authority opens them.</Empty>
        ) : (
          <Table
            label="Routes"
            rows={routes}
            keyOf={({ route_id }) => route_id}
            hrefOf={({ route_id }) => routeHref(route_id)}
            columns={[
              {
                head: 'Route',
                cell: ({ route_id }) => (
                  <a href={routeHref(route_id)}>
                    <ChainText text={route_id} />
                  </a>
                ),
              },
              { head: 'What it does', cell: (route) => <What route={route} /> },
              { head: 'Status', cell: (route) => <StatusOf route={route} /> },
              {
                head: 'Outstanding',
                right: true,
                cell: (route) => (
                  <span class={css.big}>
                    <Bridged route={route} value={route.outstanding} />
                  </span>
                ),
              },
              { head: 'Limit used', phone: 'no', cell: (route) => <Used route={route} /> },
              {
                head: 'Transfers',
                right: true,
                phone: 'no',
                cell: ({ transfers }) => countText(transfers),
              },
              { head: 'Check', cell: (route) => <CheckOf route={route} /> },
            ]}
          />
        )
      }
    </Answer>
  );
}

function What({ route }: { readonly route: BridgeRoute }) {
  return (
    <span class={css.does}>
      {DIRECTIONS[route.direction][0]}
      {route.asset_id !== '' && (
        <>
          : {route.bundle ? 'whole shares of ' : ''}
          <AssetLink id={route.asset_id} />
        </>
      )}
    </span>
  );
}

export function StatusOf({ route }: { readonly route: BridgeRoute }) {
  const [word, tone] = routeStatus(route);
  return <Badge tone={tone}>{word}</Badge>;
}

/** The fuller of both ways. */
function Used({ route }: { readonly route: BridgeRoute }) {
  if (route.window_seconds === 0) return <span class="soft">no limit</span>;
  const out = windowUse(route.outbound_used, route.outbound_limit);
  const into = windowUse(route.inbound_used, route.inbound_limit);
  const { permille, isNearLimit } = into.permille > out.permille ? into : out;
  return (
    <span class={css.used}>
      <span aria-hidden="true">{permille / 10} %</span>
      <Progress
        label="Limit used"
        permille={permille}
        text={`${permille / 10} % of the limit`}
        tone={isNearLimit ? 'warn' : 'plain'}
      />
    </span>
  );
}

export function CheckOf({ route }: { readonly route: BridgeRoute }) {
  const { tone, word, sentence } = checkWords(route.i8, route.direction);
  return (
    <span title={sentence}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}
