import { told, v1 } from '../../data/client.ts';
import { useList } from '../../data/lists.ts';
import { ActivityList } from '../../parts/activity.tsx';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Section } from '../../parts/page.tsx';
import { NewRows, Pager } from '../../parts/pager.tsx';

const LIMIT = 50;

/** Everything that happened to the asset, newest first. */
export function Events({ id }: { readonly id: string }) {
  const list = useList(
    ['asset-events', id],
    (cursor) =>
      told(
        v1.GET('/v1/assets/{id}/events', {
          params: { path: { id }, query: { limit: LIMIT, ...(cursor === undefined ? {} : { cursor }) } },
        }),
      ),
    ({ events }) =>
      events.map(({ height, tx_index, event_index, mode }) =>
        [height, tx_index, mode ?? '', event_index].join('/'),
      ),
  );
  return (
    <Section title="Events" aside={<NewRows list={list} limit={LIMIT} />}>
      <Answer asked={list} rows={16}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty>Nothing has happened to this asset yet.</Empty>
          ) : (
            <>
              <ActivityList label="Events, newest first" events={events} without={id} />
              <Pager list={list} />
            </>
          )
        }
      </Answer>
    </Section>
  );
}
