import type { ClaimableEntry } from '../../../../../clients/ts/src/client.ts';
import { Address } from '../../parts/address.tsx';
import { Coin } from '../../parts/amount.tsx';
import { Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { KindName } from '../../parts/kind-name.tsx';
import { Say } from '../../parts/sentence.tsx';
import { Table } from '../../parts/table.tsx';
import { lockPart } from '../../text/sentences/locks.ts';

/** What a claim would pay now, of the account's own units and of pledges whose income goes to it. */
export function Income({
  claimable,
  isMine,
}: {
  readonly claimable: readonly ClaimableEntry[];
  readonly isMine: boolean;
}) {
  if (claimable.length === 0)
    return (
      <Empty>
        There is nothing to claim. Whoever holds a right when its asset distributes income may claim a part of
        it.
      </Empty>
    );
  return (
    <>
      {isMine && (
        <p>
          <a href="/wallet">Claim it in your wallet.</a>
        </p>
      )}
      <Table
        label="Income to claim"
        rows={claimable}
        keyOf={(row) => `${row.asset_id}/${row.kind_id}/${row.denom}/${row.ref}/${row.routed_from}`}
        hrefOf={({ asset_id }) => `/asset/${asset_id}`}
        columns={[
          { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
          {
            head: 'Right',
            cell: ({ asset_id, kind_id }) => <KindName assetId={asset_id} kindId={kind_id} />,
          },
          {
            head: 'From',
            cell: (row) =>
              row.ref === '' ? (
                'its own units'
              ) : (
                <>
                  units of <Address value={row.routed_from} /> under{' '}
                  <Say sentence={[lockPart({ ref: row.ref })]} />
                </>
              ),
          },
          {
            head: 'To claim now',
            right: true,
            cell: ({ total, denom }) => <Coin amount={total} denom={denom} />,
          },
        ]}
      />
    </>
  );
}
