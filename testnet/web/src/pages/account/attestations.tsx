import type { Attestation } from '../../../../../clients/ts/src/client.ts';
import { Address } from '../../parts/address.tsx';
import { Empty } from '../../parts/answer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

export function Attestations({ attestations }: { readonly attestations: readonly Attestation[] }) {
  if (attestations.length === 0)
    return (
      <Empty>
        Nobody has attested anything of this account. Some assets ask for an attestation, such as kyc, of
        whoever receives them.
      </Empty>
    );
  return (
    <Table
      label="Attestations of this account"
      rows={attestations}
      keyOf={({ type, attester }) => `${type}/${attester}`}
      columns={[
        { head: 'What', cell: ({ type }) => <ChainText text={type} /> },
        { head: 'By', cell: ({ attester }) => <Address value={attester} /> },
        { head: 'State', cell: (row) => <State of={row} /> },
        { head: 'Ends', right: true, cell: ({ expiry }) => <Time at={expiry} /> },
      ]}
    />
  );
}

function State({ of: { live, revoked } }: { readonly of: Attestation }) {
  if (live) return <Badge tone="good">valid</Badge>;
  return revoked ? <Badge tone="bad">taken back</Badge> : <Badge>ended</Badge>;
}
