import { useRef } from 'preact/hooks';
import type { AssetPage } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from '../data/answers.ts';
import { told, v1 } from '../data/client.ts';
import { useList } from '../data/lists.ts';
import { Address } from '../parts/address.tsx';
import { Answer, Empty } from '../parts/answer.tsx';
import { AssetLink } from '../parts/asset-link.tsx';
import { AssetStatusBadge } from '../parts/asset-status.tsx';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { countText } from '../text/amounts.ts';

const LIMIT = 50;
const COUNT_MS = 5_000;

/** All assets, by id: the API has them in no other order, so that new ones are counted and may be on any page. */
export function Assets() {
  const list = useList(['assets'], loadPage);
  return (
    <Page
      title="Assets"
      lead="What has been launched on this chain, in the order of the assets' ids."
      aside={
        <>
          <NewAssets show={list.retry} />
          <ButtonLink href="/launch">Launch one</ButtonLink>
        </>
      }
    >
      <Answer asked={list} rows={20}>
        {({ assets }) =>
          assets.length === 0 ? (
            <Empty>
              {list.isFirst ? (
                <>
                  Nobody has launched an asset yet. <a href="/launch">Launch the first one</a>: it takes one
                  signed transaction.
                </>
              ) : (
                <>There are no more assets.</>
              )}
            </Empty>
          ) : (
            <>
              <Table
                label="Assets, by id"
                rows={assets}
                keyOf={({ id }) => id}
                hrefOf={({ id }) => `/asset/${id}`}
                columns={[
                  {
                    head: 'Asset',
                    percent: 34,
                    cell: ({ id, meta_hash }) => <AssetLink id={id} metaHash={meta_hash} />,
                  },
                  { head: 'Status', cell: ({ status }) => <AssetStatusBadge status={status} /> },
                  { head: 'Kinds', right: true, cell: ({ kind_count }) => countText(kind_count) },
                  {
                    head: 'Issuance',
                    cell: ({ issuance_locked }) =>
                      issuance_locked ? 'ended' : <span class="soft">open</span>,
                  },
                  { head: 'Issuer', phone: 'no', cell: ({ issuer }) => <Address value={issuer} /> },
                  { head: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
                ]}
              />
              <Pager list={list} isByTime={false} />
            </>
          )
        }
      </Answer>
    </Page>
  );
}

function loadPage(cursor: string | undefined): Promise<AssetPage> {
  const query = { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) };
  return told(v1.GET('/v1/assets', { params: { query } }));
}

/** How many were launched since the page was opened. Its room is kept. */
function NewAssets({ show }: { show(): void }) {
  const { data } = useAnswer(['stats', 'network'], () => told(v1.GET('/v1/stats/network')), {
    everyMs: COUNT_MS,
  });
  const opened = useRef<number | undefined>(undefined);
  const total = data?.totals.assets;
  if (opened.current === undefined) opened.current = total;
  const count = total === undefined || opened.current === undefined ? 0 : total - opened.current;
  return (
    <span role="status">
      {count > 0 && (
        <Button
          onClick={() => {
            opened.current = total;
            show();
          }}
        >
          {countText(count)} new
        </Button>
      )}
    </span>
  );
}
