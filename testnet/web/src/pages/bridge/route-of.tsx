import type { BridgeRoute, BridgeRouteList } from '../../../../../clients/ts/src/client.ts';
import { nowMs } from '../../data/live.ts';
import type { Asked } from '../../data/queries.ts';
import { Address } from '../../parts/address.tsx';
import { Coin } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Bridged } from '../../parts/bridged.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts, Section } from '../../parts/page.tsx';
import { Progress } from '../../parts/progress.tsx';
import { Time } from '../../parts/time.tsx';
import { countText } from '../../text/amounts.ts';
import { checkWords, DIRECTIONS, OUTSTANDING_WORDS, windowEnd, windowUse } from '../../text/bridge.ts';
import { joint } from '../../text/rights.ts';
import { durationText } from '../../text/times.ts';
import css from './bridge.module.css';
import { CheckOf, StatusOf } from './routes.tsx';

/** One route in full, out of the list of all. */
export function RouteOf({ asked, id }: { readonly asked: Asked<BridgeRouteList>; readonly id: string }) {
  return (
    <Answer asked={asked} rows={12}>
      {({ routes }) => {
        const route = routes.find(({ route_id }) => route_id === id);
        if (route === undefined)
          return (
            <Empty>
              There is no route of this name. <a href="/bridge">Look at all routes.</a>
            </Empty>
          );
        return (
          <>
            <p class={css.lead}>{DIRECTIONS[route.direction][1]}</p>
            <Section title="What has moved" aside={<StatusOf route={route} />}>
              <Facts rows={moved(route)} />
            </Section>
            <Section title="Limits">
              <Limits route={route} />
            </Section>
            <Section title="Check" aside={<CheckOf route={route} />}>
              <Check route={route} />
            </Section>
          </>
        );
      }}
    </Answer>
  );
}

function moved(route: BridgeRoute) {
  const amount = (value: string) => (
    <span class={css.big}>
      <Bridged route={route} value={value} />
    </span>
  );
  const swept = Object.entries(route.income_swept);
  return [
    [OUTSTANDING_WORDS[route.direction], amount(route.outstanding)],
    ['Ever left', amount(route.outbound)],
    ['Ever arrived', amount(route.inbound)],
    ['Transfers', countText(route.transfers)],
    ['Asset', route.asset_id === '' ? undefined : <AssetLink key="a" id={route.asset_id} />],
    ['Moves', route.bundle ? 'whole shares: one unit of every kind of the bundle' : undefined],
    ['Coin', route.local_denom === '' ? undefined : <ChainText key="d" text={route.local_denom} />],
    ['Held by', route.escrow_address === '' ? undefined : <Address key="e" value={route.escrow_address} />],
    [
      'Income paid to the issuer',
      route.asset_id === '' ? undefined : swept.length === 0 ? (
        'none yet'
      ) : (
        <span key="s">
          {swept.map(([denom, value], at) => (
            <span key={denom}>
              {joint(at, swept.length)}
              <Coin amount={value} denom={denom} />
            </span>
          ))}
        </span>
      ),
    ],
    ['Other chain', `number ${route.remote_domain} of the messaging protocol`],
    ['Contract over there', <Hash key="r" value={route.remote_contract} what="address of the contract" />],
    [
      'Since',
      <a key="h" href={`/block/${route.created_height}`}>
        block {countText(route.created_height)}
      </a>,
    ],
  ] as const;
}

function Limits({ route }: { readonly route: BridgeRoute }) {
  // a window of 2^53 seconds and more comes as digits; to people it is one number or the other
  const windowSeconds = Number(route.window_seconds);
  if (windowSeconds === 0) return <p class="soft">This route has no limit.</p>;
  return (
    <>
      <p class="soft">
        Both ways have a limit for every {durationText(windowSeconds)}. The count begins again{' '}
        <Time at={windowEnd(windowSeconds, nowMs.value)} />.
      </p>
      <Facts
        rows={[
          ['Out', <Way key="o" route={route} used={route.outbound_used} limit={route.outbound_limit} />],
          ['In', <Way key="i" route={route} used={route.inbound_used} limit={route.inbound_limit} />],
        ]}
      />
    </>
  );
}

function Way({
  route,
  used,
  limit,
}: {
  readonly route: BridgeRoute;
  readonly used: string;
  readonly limit: string;
}) {
  const { permille, isNearLimit } = windowUse(used, limit);
  if (BigInt(limit) === 0n) return <>nothing may pass this way</>;
  return (
    <span class={css.way}>
      <Progress
        label="Limit used"
        permille={permille}
        text={`${permille / 10} % of the limit`}
        tone={isNearLimit ? 'warn' : 'plain'}
      />
      <span class={css.big}>
        <Bridged route={route} value={used} /> of <Bridged route={route} value={limit} />
      </span>
    </span>
  );
}

function Check({ route }: { readonly route: BridgeRoute }) {
  const { sentence } = checkWords(route.i8, route.direction);
  const check = route.i8;
  return (
    <>
      <p>{sentence}</p>
      {check !== null && (
        <Facts
          rows={[
            [
              'On the chain',
              check.chain_actual === '' ? (
                'not told'
              ) : (
                <span key="c" class={css.big}>
                  <Bridged route={route} value={check.chain_actual} />
                </span>
              ),
            ],
            [
              'By all transfers',
              <span key="i" class={css.big}>
                <Bridged route={route} value={check.indexer_actual} />
              </span>,
            ],
            [
              'Compared at',
              <a key="h" href={`/block/${check.height}`}>
                block {countText(check.height)}
              </a>,
            ],
          ]}
        />
      )}
    </>
  );
}
