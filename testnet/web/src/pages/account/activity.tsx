import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { ActivityList } from '../../parts/activity.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { NewRows, Pager } from '../../parts/pager.tsx';
import css from './account.module.css';

const LIMIT = 25;

export function Activity({ address }: { readonly address: string }) {
  const list = useList(
    ['account-events', address],
    (cursor) =>
      told(
        v1.GET('/v1/accounts/{addr}/events', {
          params: {
            path: { addr: address },
            query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) },
          },
        }),
      ),
    ({ events }) => events.map(({ height, tx_index, event_index }) => `${height}/${tx_index}/${event_index}`),
  );
  return (
    <>
      <div class={css.above}>
        <NewRows list={list} limit={LIMIT} />
      </div>
      <Answer asked={list} rows={12}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty>Nothing has happened to this account in the chain's asset modules.</Empty>
          ) : (
            <>
              <ActivityList label="Activity of this account, newest first" events={events} />
              <Pager list={list} />
            </>
          )
        }
      </Answer>
    </>
  );
}
