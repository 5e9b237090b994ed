import type {
  BridgeRoute,
  ExportCheck,
  InvariantCheck,
  Tok20Check,
} from '../../../../../clients/ts/src/client.ts';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { KindName } from '../../parts/kind-name.tsx';
import { Units } from '../../parts/units.tsx';
import { countText } from '../../text/amounts.ts';
import { checkWords } from '../../text/bridge.ts';
import { routeChecks } from '../../text/check-rows.ts';
import { checkDifferences } from '../../text/checks.ts';
import { moduleWords } from '../../text/drift.ts';
import { routeHref } from '../bridge/routes.tsx';
import css from './checks.module.css';
import { type CheckRow, ChecksOf } from './section.tsx';

const height = {
  head: 'Compared at',
  right: true,
  cell: ({ height: at }: CheckRow) => <a href={`/block/${at}`}>block {countText(at)}</a>,
} as const;

/** The index against each module's whole state. */
export function ModuleChecks({ checks }: { readonly checks: readonly ExportCheck[] }) {
  return (
    <ChecksOf
      title="Whole modules"
      name="modules"
      means="Every record of each part of the chain, one part at a time. By default all parts have had their turn within two hours. Each value of each record must be equal on both sides."
      rows={checks}
      keyOf={({ module }) => module}
      columns={[
        { head: 'Part', cell: ({ module }) => moduleWords(module) },
        {
          head: 'Records',
          right: true,
          cell: ({ records, evaluated }) => (evaluated ? countText(records) : ''),
        },
        {
          head: 'Result',
          cell: (check) => (
            <span class={css.result}>
              <Verdict row={check} />
              {check.differences > 0 && (
                <small>
                  {countText(check.differences)} {check.differences === 1 ? 'value differs' : 'values differ'}
                </small>
              )}
            </span>
          ),
        },
        height,
      ]}
    />
  );
}

/** The index against the chain's totals of each right. */
export function UnitChecks({ checks }: { readonly checks: readonly InvariantCheck[] }) {
  return (
    <ChecksOf
      title="Units and income"
      name="units"
      means="For each right of each asset: how many units exist, how many all holders have together, how many are locked, and how much income was paid in, paid out and is still held. Every figure must be equal on both sides."
      rows={checks}
      keyOf={({ asset_id, kind_id }) => `${asset_id}/${kind_id}`}
      columns={[
        { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
        { head: 'Right', cell: ({ asset_id, kind_id }) => <KindName assetId={asset_id} kindId={kind_id} /> },
        {
          head: 'Units in existence',
          right: true,
          phone: 'no',
          cell: ({ asset_id, kind_id, chain }) => (
            <Units assetId={asset_id} kindId={kind_id} value={chain.supply} />
          ),
        },
        { head: 'Result', cell: (check) => <UnitResult check={check} /> },
        height,
      ]}
    />
  );
}

function UnitResult({ check }: { readonly check: InvariantCheck }) {
  return (
    <span class={css.result}>
      <Verdict row={check} />
      {!check.agree &&
        checkDifferences(check).map(({ what, chain, index }) => (
          <small key={what}>
            {what}: the chain says {chain}, the index {index}
          </small>
        ))}
    </span>
  );
}

function Verdict({ row }: { readonly row: CheckRow }) {
  if (row.evaluated === false) return <Badge>Could not be asked for</Badge>;
  return row.agree ? <Badge tone="good">Agrees</Badge> : <Badge tone="bad">Disagrees</Badge>;
}

/** The addresses by formula against the chain's registry of tokens. */
export function TokenChecks({ checks }: { readonly checks: readonly Tok20Check[] }) {
  return (
    <ChecksOf
      title="Token addresses"
      name="tokens"
      means="Each right, and each whole share, is also a token at an Ethereum address. The address follows from the asset by a formula; the chain's register must name the same one."
      rows={checks}
      keyOf={({ asset_id, kind_id }) => `${asset_id}/${kind_id}`}
      columns={[
        { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
        {
          head: 'Token of',
          cell: ({ asset_id, kind_id }) =>
            kind_id === null ? 'Whole share' : <KindName assetId={asset_id} kindId={kind_id} />,
        },
        {
          head: 'Address by formula',
          phone: 'no',
          cell: ({ indexer_address }) => <AddressOrNone value={indexer_address} />,
        },
        {
          head: 'On the chain',
          phone: 'no',
          cell: ({ chain_address }) => <AddressOrNone value={chain_address} />,
        },
        { head: 'Result', cell: (check) => <Verdict row={check} /> },
        height,
      ]}
    />
  );
}

function AddressOrNone({ value }: { readonly value: string }) {
  return value === '' ? <span class="soft">none</span> : <Hash value={value} what="token address" />;
}

/** What each route of the bridge holds, against what its transfers add up to. */
export function RouteChecks({ routes }: { readonly routes: readonly BridgeRoute[] }) {
  return (
    <ChecksOf
      title="Bridge"
      name="bridge"
      means="For each route: what the chain holds for it (or, of a stand-in, how much exists) must be what all its transfers add up to."
      rows={routeChecks(routes)}
      keyOf={({ route }) => route.route_id}
      columns={[
        {
          head: 'Route',
          cell: ({ route }) => (
            <a href={routeHref(route.route_id)}>
              <ChainText text={route.route_id} />
            </a>
          ),
        },
        {
          head: 'What it means',
          phone: 'no',
          cell: ({ route }) => <span class="soft">{checkWords(route.i8, route.direction).sentence}</span>,
        },
        { head: 'Result', cell: (row) => <Verdict row={row} /> },
        height,
      ]}
    />
  );
}
