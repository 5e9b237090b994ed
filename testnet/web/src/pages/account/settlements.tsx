import type { Settlement } from '../../../../../clients/ts/src/client.ts';
import { useDeal } from '../../data/deals.ts';
import { Address } from '../../parts/address.tsx';
import { Empty } from '../../parts/answer.tsx';
import { Table } from '../../parts/table.tsx';
import { Things } from '../../parts/things.tsx';
import { Time } from '../../parts/time.tsx';
import { countText } from '../../text/amounts.ts';
import css from './account.module.css';

/** Those that wait; all others stand in the list of settlements. */
export function Settlements({
  pending,
  address,
}: {
  readonly pending: readonly Settlement[];
  readonly address: string;
}) {
  return (
    <>
      {pending.length === 0 ? (
        <Empty>No settlement of this account waits to be accepted.</Empty>
      ) : (
        <Table
          label="Settlements that wait"
          rows={pending}
          keyOf={({ id }) => id}
          hrefOf={({ id }) => `/settlement/${id}`}
          columns={[
            {
              head: 'Number',
              phone: 'no',
              cell: ({ id }) => <a href={`/settlement/${id}`}>{countText(id)}</a>,
            },
            { head: 'Who gives what for what', phone: 'title', cell: (row) => <Deal of={row} /> },
            { head: 'Ends', right: true, cell: ({ expiry }) => <Time at={expiry} /> },
          ]}
        />
      )}
      <p>
        <a href={`/settlements?party=${address}`}>All settlements of this account</a>
      </p>
    </>
  );
}

function Deal({ of }: { readonly of: Settlement }) {
  const { gives, gets } = useDeal(of.legs);
  return (
    <span class={css.sentence}>
      <Address value={of.proposer} isBare /> gives <Things things={gives} /> to{' '}
      <Address value={of.counterparty} isBare /> for <Things things={gets} />
    </span>
  );
}
