import type { AccountLock } from '../../../../../clients/ts/src/client.ts';
import { Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { KindName } from '../../parts/kind-name.tsx';
import { Say } from '../../parts/sentence.tsx';
import { Table } from '../../parts/table.tsx';
import { Units } from '../../parts/units.tsx';
import { lockPart } from '../../text/sentences/locks.ts';

export function Locks({ locks }: { readonly locks: readonly AccountLock[] }) {
  if (locks.length === 0)
    return (
      <Empty>
        Nothing of this account is locked. Units are while they are offered in a settlement, pledged, under a
        lien, locked up or delegated.
      </Empty>
    );
  return (
    <Table
      label="Units that cannot move"
      rows={locks}
      keyOf={({ asset_id, kind_id, ref }) => `${asset_id}/${kind_id}/${ref}`}
      columns={[
        { head: 'Locked by', cell: ({ ref }) => <Say sentence={[lockPart({ ref })]} /> },
        { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
        {
          head: 'Right',
          cell: ({ asset_id, kind_id }) => <KindName assetId={asset_id} kindId={kind_id} />,
        },
        {
          head: 'Units',
          right: true,
          cell: ({ asset_id, kind_id, units }) => <Units assetId={asset_id} kindId={kind_id} value={units} />,
        },
      ]}
    />
  );
}
