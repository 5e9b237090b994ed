import type { Asset, InvariantCheck, Tok20Check } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { told, v1 } from '../../data/client.ts';
import { Amount } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { checkDifferences } from '../../text/checks.ts';
import { kindNameOf } from '../../text/kinds.ts';
import css from './asset.module.css';

const EVERY_MS = 15_000;

/** Whether what the index adds up from events is what the chain itself holds. */
export function Checks({ asset }: { readonly asset: Asset }) {
  const asked = useAnswer(
    ['invariants', asset.id],
    () => told(v1.GET('/v1/invariants', { params: { query: { asset: asset.id } } })),
    { everyMs: EVERY_MS },
  );
  return (
    <Answer asked={asked} rows={10}>
      {({ checks, tok20_registry }) => (
        <>
          <Section title="Against the chain's own numbers">
            <p>
              The index adds up every unit and every payout from the chain's events. From time to time it asks
              the chain what it holds itself, at one height. Both must be equal to the last digit.
            </p>
            {checks.length === 0 ? (
              <Empty>Not compared yet. It is done every few minutes by a running indexer.</Empty>
            ) : (
              <Numbers asset={asset} checks={checks} />
            )}
          </Section>
          <Section title="Token addresses">
            <p>
              Each kind, and the whole share, is a token for EVM wallets, at an address that follows from the
              asset's id. The chain keeps a list of its own.
            </p>
            {tok20_registry.length === 0 ? (
              <Empty>Not compared yet.</Empty>
            ) : (
              <Tokens asset={asset} checks={tok20_registry} />
            )}
          </Section>
        </>
      )}
    </Answer>
  );
}

function Numbers({ asset, checks }: { readonly asset: Asset; readonly checks: readonly InvariantCheck[] }) {
  return (
    <>
      <Table
        label="Comparisons by kind"
        rows={checks}
        keyOf={({ kind_id }) => kind_id}
        columns={[
          { head: 'Kind', cell: ({ kind_id }) => kindNameOf(asset, kind_id) },
          { head: 'Result', cell: ({ agree }) => <Result agree={agree} /> },
          {
            head: 'At block',
            right: true,
            cell: ({ height }) => <a href={`/block/${height}`}>{countText(height)}</a>,
          },
          {
            head: 'Units on the chain',
            right: true,
            cell: ({ kind_id, chain }) => (
              <Amount value={chain.supply} decimals={asset.kinds[kind_id]?.decimals ?? 0} />
            ),
          },
          {
            head: 'Units in the index',
            right: true,
            cell: ({ kind_id, indexer }) => (
              <Amount value={indexer.supply} decimals={asset.kinds[kind_id]?.decimals ?? 0} />
            ),
          },
        ]}
      />
      {checks
        .filter(({ agree }) => !agree)
        .map((check) => (
          <Differences key={check.kind_id} asset={asset} check={check} />
        ))}
    </>
  );
}

function Differences({ asset, check }: { readonly asset: Asset; readonly check: InvariantCheck }) {
  const name = kindNameOf(asset, check.kind_id);
  return (
    <Section title={`What differs: ${name}`}>
      <Table
        label={`What differs of ${name}`}
        rows={checkDifferences(check)}
        keyOf={({ what }) => what}
        columns={[
          { head: 'Number', cell: ({ what }) => what },
          { head: 'Chain', right: true, cell: ({ chain }) => <span class="mono">{chain}</span> },
          { head: 'Index', right: true, cell: ({ index }) => <span class="mono">{index}</span> },
        ]}
      />
    </Section>
  );
}

function Result({ agree }: { readonly agree: boolean }) {
  return agree ? <Badge tone="good">they agree</Badge> : <Badge tone="bad">they differ</Badge>;
}

function Tokens({ asset, checks }: { readonly asset: Asset; readonly checks: readonly Tok20Check[] }) {
  return (
    <Table
      label="Token addresses by kind"
      rows={checks}
      keyOf={({ kind_id, chain_address }) => `${kind_id ?? 'bundle'}/${chain_address}`}
      columns={[
        {
          head: 'Token',
          cell: ({ kind_id }) => (kind_id === null ? 'Whole share' : kindNameOf(asset, kind_id)),
        },
        {
          head: 'Result',
          cell: ({ evaluated, agree }) =>
            evaluated ? <Result agree={agree} /> : <Badge>the chain cannot tell</Badge>,
        },
        { head: 'At block', right: true, cell: ({ height }) => countText(height) },
        { head: 'By formula', cell: ({ indexer_address }) => <TokenAddress value={indexer_address} /> },
        { head: "In the chain's list", cell: ({ chain_address }) => <TokenAddress value={chain_address} /> },
      ]}
    />
  );
}

function TokenAddress({ value }: { readonly value: string }) {
  return value === '' ? <span class={css.note}>none</span> : <Hash value={value} what="token address" />;
}
