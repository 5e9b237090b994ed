import type { RangeTables } from './columns.ts';
import { type EventDecoder, eventText } from './events.ts';
import type { AccountReader } from './parties.ts';
import type { EventRecord } from './results.ts';

interface EventSink {
  readonly tables: RangeTables;
  readonly events: EventDecoder;
  readonly accounts: AccountReader;
}

/**
 * Appends the rows of a list of events (events, typed_events, transfers), adds the accounts they name to `mentioned`,
 * and returns the list's JSON text. txIndex −1: block-level.
 */
export function appendEvents(
  sink: EventSink,
  height: number,
  txIndex: number,
  code: number,
  records: readonly EventRecord[],
  mentioned: Set<string>,
): string {
  const { tables, events, accounts } = sink;
  const columns = tables.events.columns;
  let text = '[';
  for (let eventIndex = 0; eventIndex < records.length; eventIndex++) {
    const record = records[eventIndex] as EventRecord;
    const event = events.decode(record, txIndex < 0);
    text += `${eventIndex === 0 ? '' : ','}${eventText(event, eventIndex)}`;
    columns.height.u64(height);
    columns.tx_index.i32(txIndex);
    columns.event_index.u32(eventIndex);
    columns.type.latin1(record.type);
    columns.msg_index.i32(event.msgIndex);
    tables.events.rows++;
    if (event.decoded !== undefined) {
      const typed = tables.typedEvents.columns;
      typed.height.u64(height);
      typed.tx_index.i32(txIndex);
      typed.event_index.u32(eventIndex);
      typed.type.latin1(record.type);
      typed.mode.latin1(event.mode);
      typed.code.u32(code);
      typed.decoded.latin1(event.decoded);
      tables.typedEvents.rows++;
    }
    if (record.type === 'transfer') appendTransfer(tables, height, txIndex, eventIndex, record);
    for (let i = 1; i < record.attributes.length; i += 2) {
      const value = record.attributes[i] as string;
      if (!accounts.looksLikeAccount(value)) continue;
      const account = accounts.fromText(value);
      if (account !== '') mentioned.add(account);
    }
  }
  return `${text}]`;
}

function appendTransfer(
  tables: RangeTables,
  height: number,
  txIndex: number,
  eventIndex: number,
  record: EventRecord,
): void {
  const columns = tables.transfers.columns;
  const attribute = (key: string): string => {
    for (let i = 0; i < record.attributes.length; i += 2) {
      if (record.attributes[i] === key) return record.attributes[i + 1] as string;
    }
    return '';
  };
  columns.height.u64(height);
  columns.tx_index.i32(txIndex);
  columns.event_index.u32(eventIndex);
  columns.sender.latin1(attribute('sender'));
  columns.recipient.latin1(attribute('recipient'));
  columns.amount.latin1(attribute('amount'));
  tables.transfers.rows++;
}
