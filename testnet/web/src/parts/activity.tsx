import type { ActivityEvent } from '../../../../clients/ts/src/client.ts';
import { whatOfMethod } from '../../../src/what.ts';
import { useChain } from '../data/chain.ts';
import { eventSentence } from '../text/sentences/events.ts';
import css from './activity.module.css';
import { WhatDot } from './badge.tsx';
import { Say } from './sentence.tsx';
import { Table } from './table.tsx';
import { Time } from './time.tsx';
import { placeHref, TxOrBlock } from './tx-or-block.tsx';

/** A feed of typed events in plain sentences, as it is told, with where and when. `without` is the asset that all are about. */
export function ActivityList({
  label,
  events,
  without,
}: {
  readonly label: string;
  readonly events: readonly ActivityEvent[];
  readonly without?: string;
}) {
  const { data: chain } = useChain();
  const namespace = chain?.namespace ?? 'aeva';
  return (
    <Table
      label={label}
      rows={events}
      keyOf={({ height, tx_index, event_index, mode }) =>
        `${height}/${tx_index}/${mode ?? ''}/${event_index}`
      }
      hrefOf={placeHref}
      columns={[
        {
          head: 'What happened',
          cell: ({ type, decoded }) => (
            <span class={css.event}>
              <WhatDot what={whatOfMethod(methodOf(type), namespace)} />
              <Say
                sentence={eventSentence(type, decoded as Readonly<Record<string, unknown>>)}
                {...(without === undefined ? {} : { without })}
              />
            </span>
          ),
        },
        {
          head: 'Where',
          cell: ({ tx_hash, height }) => <TxOrBlock tx_hash={tx_hash} height={height} />,
        },
        { head: 'When', right: true, cell: ({ block_time }) => <Time at={block_time} /> },
      ]}
    />
  );
}

/** The colour of an event is that of its module's messages. */
function methodOf(type: string): string {
  return `/${type.replace(/\.Event/, '.Msg')}`;
}
