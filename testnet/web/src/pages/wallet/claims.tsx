import { useState } from 'preact/hooks';
import type { ClaimableEntry } from '../../../../../clients/ts/src/client.ts';
import { useAccount } from '../../data/accounts.ts';
import type { ChainFacts } from '../../data/chain.ts';
import { Coin } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { AssetLink } from '../../parts/asset-link.tsx';
import { Button } from '../../parts/button.tsx';
import { KindName } from '../../parts/kind-name.tsx';
import { Table } from '../../parts/table.tsx';
import { claimMessage } from '../../sign/messages.ts';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import type { KeptWallet } from '../../wallet/kept.ts';
import type { Action } from '../../wallet/wallet.ts';

/** In one tx at a time: what a page can simulate is bounded. */
const AT_ONCE = 10;

/** What the account has earned and not taken yet. */
export function Claims({ kept, chain }: { readonly kept: KeptWallet; readonly chain: ChainFacts }) {
  const account = useAccount(kept.address);
  const [action, setAction] = useState<Action | undefined>();
  if (action !== undefined)
    return <SignAndFollow title="Claim income" action={action} onClose={() => setAction(undefined)} />;
  const claim = (entries: readonly ClaimableEntry[]): void =>
    setAction({ messages: entries.map((entry) => claimMessage(chain.namespace, kept.address, entry)) });
  return (
    <Answer asked={account} rows={3}>
      {({ claimable }) =>
        claimable.length === 0 ? (
          <Empty>
            There is nothing to claim. Whoever holds units of a kind when income is paid to it finds their
            part here.
          </Empty>
        ) : (
          <>
            <Table
              label="Income that you may claim"
              rows={claimable}
              keyOf={({ asset_id, kind_id, denom, ref }) => `${asset_id}/${kind_id}/${denom}/${ref}`}
              columns={[
                { head: 'Asset', cell: ({ asset_id }) => <AssetLink id={asset_id} /> },
                {
                  head: 'Right',
                  cell: ({ asset_id, kind_id }) => <KindName assetId={asset_id} kindId={kind_id} />,
                },
                { head: 'From', cell: ({ ref }) => (ref === '' ? 'Your units' : ref) },
                {
                  head: 'Income',
                  right: true,
                  cell: ({ total, denom }) => <Coin amount={total} denom={denom} />,
                },
                {
                  head: '',
                  right: true,
                  cell: (entry) => <Button onClick={() => claim([entry])}>Claim</Button>,
                },
              ]}
            />
            {claimable.length > 1 && (
              <p>
                <Button kind="main" onClick={() => claim(claimable.slice(0, AT_ONCE))}>
                  {claimable.length > AT_ONCE ? `Claim the first ${AT_ONCE}` : 'Claim all'}
                </Button>
              </p>
            )}
          </>
        )
      }
    </Answer>
  );
}
