import type { AccountAsset, AccountKind } from '../../../../../clients/ts/src/client.ts';
import { Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { AssetStatusBadge } from '../../parts/asset-status.tsx';
import { WholeShares } from '../../parts/kind-name.tsx';
import { Table } from '../../parts/table.tsx';
import { Units } from '../../parts/units.tsx';
import { kindName } from '../../text/kinds.ts';

interface Row {
  readonly asset: AccountAsset;
  readonly kind: AccountKind;
  /** The asset is named once. */
  readonly isFirst: boolean;
}

export function Positions({ assets }: { readonly assets: readonly AccountAsset[] }) {
  const rows = assets.flatMap((asset) =>
    asset.kinds.map((kind, at): Row => ({ asset, kind, isFirst: at === 0 })),
  );
  if (rows.length === 0)
    return (
      <Empty>
        This account holds no units of any asset. <a href="/desk">The desk</a> sells some, and{' '}
        <a href="/launch">anybody may launch one</a>.
      </Empty>
    );
  return (
    <Table
      label="Positions by asset and kind"
      rows={rows}
      keyOf={({ asset, kind }) => `${asset.asset_id}/${kind.kind_id}`}
      hrefOf={({ asset }) => `/asset/${asset.asset_id}`}
      columns={[
        {
          head: 'Asset',
          cell: ({ asset, isFirst }) =>
            isFirst && (
              <>
                <AssetLink id={asset.asset_id} />{' '}
                {asset.status !== 'ASSET_STATUS_ACTIVE' && <AssetStatusBadge status={asset.status} />}
              </>
            ),
        },
        {
          head: 'Whole shares that can move',
          right: true,
          cell: ({ asset, isFirst }) =>
            isFirst && <WholeShares assetId={asset.asset_id} units={asset.whole_units} />,
        },
        { head: 'Right', cell: ({ kind }) => kindName(kind.class, kind.kind_id) },
        {
          head: 'Units',
          right: true,
          cell: ({ asset, kind }) => (
            <Units assetId={asset.asset_id} kindId={kind.kind_id} value={kind.units} />
          ),
        },
        {
          head: 'Locked',
          right: true,
          cell: ({ asset, kind }) =>
            kind.encumbered === '0' ? (
              <span class="soft">none</span>
            ) : (
              <Units assetId={asset.asset_id} kindId={kind.kind_id} value={kind.encumbered} />
            ),
        },
        {
          head: 'Can move',
          right: true,
          cell: ({ asset, kind }) => (
            <Units assetId={asset.asset_id} kindId={kind.kind_id} value={kind.transferable} />
          ),
        },
      ]}
    />
  );
}
