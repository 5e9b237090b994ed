import type { Event } from '../../../../clients/ts/src/client.ts';
import { methodText } from '../text/methods.ts';
import { eventSentence } from '../text/sentences/events.ts';
import { Badge } from './badge.tsx';
import { ChainText } from './chain-text.tsx';
import css from './event-table.module.css';
import { FieldsOf } from './fields-of.tsx';
import { Say } from './sentence.tsx';
import { Table } from './table.tsx';

/** Events in the node's order: what the chain's modules told in words, with their fields on demand, all others as they are. */
export function EventTable({ label, events }: { readonly label: string; readonly events: readonly Event[] }) {
  return (
    <Table
      label={label}
      rows={events}
      keyOf={({ event_index, mode }) => `${mode ?? ''}${event_index}`}
      columns={[
        { head: 'Event', cell: (event) => <Name event={event} /> },
        { head: 'By', phone: 'no', cell: (event) => <span class="soft">{cause(event)}</span> },
        { head: 'What it says', wide: true, cell: (event) => <What event={event} /> },
      ]}
    />
  );
}

function Name({ event: { event_index, type, decoded, applied } }: { readonly event: Event }) {
  const { name, module } = methodText(type);
  return (
    <span class={css.name}>
      <span class={css.index}>{event_index}</span>
      {decoded === null ? (
        <span class="mono">
          <ChainText text={type} />
        </span>
      ) : (
        <>
          <span>
            {name} <span class="soft">{module}</span>
          </span>
          <span title="Whether the index has derived its state from this event">
            <Badge tone={applied ? 'good' : 'plain'}>{applied ? 'applied' : 'not applied'}</Badge>
          </span>
        </>
      )}
    </span>
  );
}

function cause({ msg_index, mode }: Event): string {
  if (mode === 'BeginBlock') return 'beginning of the block';
  if (mode === 'EndBlock') return 'end of the block';
  return msg_index === null ? 'fee and checks' : `message ${msg_index + 1}`;
}

function What({ event: { type, decoded, attributes } }: { readonly event: Event }) {
  if (decoded !== null)
    return (
      <div class={css.what}>
        <Say sentence={eventSentence(type, decoded as Readonly<Record<string, unknown>>)} />
        <details>
          <summary>Its fields</summary>
          <FieldsOf value={decoded as Readonly<Record<string, unknown>>} />
        </details>
      </div>
    );
  return (
    <ul class={css.attributes}>
      {attributes
        .filter(({ key }) => key !== 'msg_index' && key !== 'mode')
        .map(({ key, value }, at) => (
          <li key={at}>
            <span class="soft">
              <ChainText text={key} />
            </span>{' '}
            {isBytes(value) ? (
              <span class="soft">bytes that are no text; the raw answer has them</span>
            ) : (
              <ChainText text={value.length > MOST ? `${value.slice(0, MOST)}…` : value} />
            )}
          </li>
        ))}
    </ul>
  );
}

/** More of an attribute stands in the raw answer. */
const MOST = 300;

/** Such as a bloom filter: nobody writes a text of which every other character is NUL. */
function isBytes(value: string): boolean {
  return value.split('\0').length > 1 + value.length / 2;
}
