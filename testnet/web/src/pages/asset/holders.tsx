import { useLocation } from 'preact-iso';
import type { Asset, Holder, Kind } from '../../../../../clients/ts/src/client.ts';
import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { Address } from '../../parts/address.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { Pager, withQuery } from '../../parts/pager.tsx';
import { Table } from '../../parts/table.tsx';
import { countText } from '../../text/amounts.ts';
import { shareText } from '../../text/assets.ts';
import { kindName } from '../../text/kinds.ts';
import { Locks } from './locks.tsx';
import { Pick } from './pick.tsx';

const LIMIT = 50;

/** Who holds a kind, and what of it cannot move. The kind stands in the URL. */
export function Holders({ asset }: { readonly asset: Asset }) {
  const { url, query } = useLocation();
  const kind = asset.kinds.find(({ kind_id }) => String(kind_id) === query.kind) ?? asset.kinds[0];
  if (kind === undefined) return <Empty>An asset without kinds has no holders.</Empty>;
  return (
    <Section
      title={`Holders of ${kindName(kind.class, kind.kind_id)}`}
      aside={
        <Pick
          label="Kind"
          options={asset.kinds.map((each) => ({
            text: `${kindName(each.class, each.kind_id)} (${countText(each.holder_count)})`,
            href: withQuery(url, { kind: String(each.kind_id), cursor: undefined }),
            isOn: each === kind,
          }))}
        />
      }
    >
      <HoldersOfKind key={kind.kind_id} asset={asset} kind={kind} />
    </Section>
  );
}

function HoldersOfKind({ asset, kind }: { readonly asset: Asset; readonly kind: Kind }) {
  const path = { id: asset.id, kind: kind.kind_id };
  const list = useList(['holders', path.id, path.kind], (cursor) =>
    told(
      v1.GET('/v1/assets/{id}/kinds/{kind}/holders', {
        params: { path, query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) } },
      }),
    ),
  );
  const units = (value: string) => <Amount value={value} decimals={kind.decimals} />;
  return (
    <Answer asked={list} rows={12}>
      {({ holders }) =>
        holders.length === 0 ? (
          <Empty>Nobody holds this kind yet. Units come into being when the issuer issues them.</Empty>
        ) : (
          <>
            <Table
              label="Holders, by units"
              rows={holders}
              keyOf={({ holder }) => holder}
              hrefOf={({ holder }) => `/account/${holder}`}
              columns={[
                { head: 'Holder', cell: ({ holder }) => <Address value={holder} /> },
                { head: 'Units', right: true, cell: (row) => units(row.units) },
                { head: 'Share', right: true, cell: (row) => shareText(row.units, kind.supply) },
                {
                  head: 'Locked',
                  right: true,
                  cell: ({ encumbered }) =>
                    encumbered === '0' ? <span class="soft">none</span> : units(encumbered),
                },
                { head: 'Can move', right: true, phone: 'no', cell: (row) => units(free(row)) },
                {
                  head: 'Locked by',
                  cell: (row) => <Locks holder={row} decimals={kind.decimals} />,
                },
              ]}
            />
            <Pager list={list} isByTime={false} />
          </>
        )
      }
    </Answer>
  );
}

function free({ units, encumbered }: Holder): string {
  return (BigInt(units) - BigInt(encumbered)).toString();
}
