import type { Delegation, VotingPower } from '../../../../../clients/ts/src/client.ts';
import { useAssetFacts } from '../../data/assets.ts';
import { Address } from '../../parts/address.tsx';
import { Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Section } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Units } from '../../parts/units.tsx';
import { countText } from '../../text/amounts.ts';
import css from './account.module.css';

/** What the account has lent or been lent, and the votes that come of it. */
export function Delegations({
  delegations,
  votes,
  address,
}: {
  readonly delegations: readonly Delegation[];
  readonly votes: readonly VotingPower[];
  readonly address: string;
}) {
  return (
    <div class={css.list}>
      {delegations.length === 0 ? (
        <Empty>
          Nothing is delegated by or to this account. A holder may lend the vote or the income of units for a
          while.
        </Empty>
      ) : (
        <Table
          label="Active delegations"
          rows={delegations}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/delegation/${id}`}
          columns={[
            { head: 'Number', cell: ({ id }) => <a href={`/delegation/${id}`}>{countText(id)}</a> },
            {
              head: 'With',
              cell: ({ holder, delegate }) =>
                holder === address ? (
                  <>
                    to <Address value={delegate} />
                  </>
                ) : (
                  <>
                    from <Address value={holder} />
                  </>
                ),
            },
            {
              head: 'What',
              cell: ({ purposes }) => purposes.map((each) => each.toLowerCase()).join(' and '),
            },
            {
              head: 'Units',
              right: true,
              cell: (row) => <Units assetId={row.asset_id} kindId={row.kind_id} value={row.units} />,
            },
            { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
            { head: 'Ends', right: true, cell: ({ until }) => <Time at={until} /> },
          ]}
        />
      )}
      {votes.length > 0 && (
        <Section title="Voting power">
          <Table
            label="Voting power by asset"
            rows={votes}
            keyOf={({ asset_id }) => asset_id}
            hrefOf={({ asset_id }) => `/asset/${asset_id}`}
            columns={[
              { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
              {
                head: 'Own',
                right: true,
                cell: ({ asset_id, own }) => <Votes assetId={asset_id} value={own} />,
              },
              {
                head: 'Lent to others',
                right: true,
                cell: ({ asset_id, delegated_out }) => <Votes assetId={asset_id} value={delegated_out} />,
              },
              {
                head: 'Lent by others',
                right: true,
                cell: ({ asset_id, delegated_in }) => <Votes assetId={asset_id} value={delegated_in} />,
              },
              {
                head: 'Votes',
                right: true,
                cell: ({ asset_id, voting_power }) => (
                  <Votes assetId={asset_id} value={voting_power.amount} />
                ),
              },
            ]}
          />
        </Section>
      )}
    </div>
  );
}

/** Votes have the decimals of the asset's kind of votes. */
function Votes({ assetId, value }: { readonly assetId: string; readonly value: string }) {
  const { data } = useAssetFacts(assetId);
  const kindId = data?.kinds.findIndex((kind) => kind.class === 'VOTE') ?? 0;
  return <Units assetId={assetId} kindId={Math.max(0, kindId)} value={value} />;
}
