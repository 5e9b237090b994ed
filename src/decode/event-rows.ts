import type { RangeTables } from './columns.ts';
import type { EventSpans } from './event-spans.ts';
import type { EventType, EventTypes } from './event-types.ts';
import { unescapeCanonical } from './json-text.ts';
import type { AccountReader } from './parties.ts';
import type { ProtoRegistry } from './proto/registry.ts';
import { TextBuffer } from './text-buffer.ts';

/** A list of events of one tx, or the block-level ones (txIndex −1). */
export interface EventList {
  readonly height: number;
  readonly txIndex: number;
  /** The tx's, 0 for block-level events. */
  readonly code: number;
  readonly spans: EventSpans;
  /** In spans: first up to, not including, end. */
  readonly first: number;
  readonly end: number;
  /** See BlockResults. */
  readonly beginBlockEvents: number;
  /** Takes `/` and the type of each event whose message no descriptor has. */
  readonly unknownTypeUrls: Set<string>;
  /** Accounts that the events name; grows. */
  readonly mentioned: Set<string>;
  /** Spenders and receivers of bank movements, module accounts left out (rule 3); grows. */
  readonly parties: Set<string>;
}

interface EventStage {
  readonly tables: RangeTables;
  readonly types: EventTypes;
  readonly registry: ProtoRegistry;
  readonly accounts: AccountReader;
}

const literal = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const EVENT_INDEX = literal('{"event_index":');
const NULL = literal('null');
const ATTRIBUTES = literal(',"attributes":[');
const UNTYPED = literal('],"decoded":null,"applied":false}');
const KEY_LITERAL_BYTES = '{"key":"'.length;

/** Prints a list of events as the API's JSON text and appends the rows of events, typed_events and transfers. */
export class EventRows {
  readonly #stage: EventStage;
  readonly #text = new TextBuffer();

  constructor(stage: EventStage) {
    this.#stage = stage;
  }

  /** Returns the JSON text, valid until the next call. `applied` is false: it is decided when read. */
  append(list: EventList): Uint8Array {
    const out = this.#text;
    const count = list.end - list.first;
    const { events } = this.#stage.tables;
    events.columns.height.u64Repeated(list.height, count);
    events.columns.tx_index.i32Repeated(list.txIndex, count);
    events.columns.event_index.u32Sequence(count);
    events.rows += count;
    out.reset();
    out.byte(91);
    for (let event = list.first; event < list.end; event++) {
      if (event > list.first) out.byte(44);
      this.#appendEvent(list, event);
    }
    out.byte(93);
    return out.bytes.subarray(0, out.length);
  }

  #appendEvent(list: EventList, event: number): void {
    const { spans } = list;
    const { tables, types } = this.#stage;
    const type = types.at(spans, event);
    if (type.isUnknown) list.unknownTypeUrls.add(`/${type.name}`);
    const eventIndex = event - list.first;
    const first = spans.firstAttribute(event);
    const end = spans.endAttribute(event);
    let own = end;
    let msgIndex = -1;
    let mode = '';
    if (list.txIndex >= 0) {
      msgIndex = end > first ? msgIndexOf(spans, end - 1) : -1;
      if (msgIndex >= 0) own = end - 1;
    } else if (list.beginBlockEvents >= 0) {
      mode = eventIndex < list.beginBlockEvents ? 'BeginBlock' : 'EndBlock';
    } else if (end > first) {
      mode = modeOf(spans, end - 1);
      if (mode !== '') own = end - 1;
    }
    const decoded = type.isTyped ? this.#decoded(type, spans, first, own) : undefined;
    this.#printEvent(type, spans, eventIndex, msgIndex, mode, decoded, first, end);
    this.#readAccounts(list, type, first, end);

    const columns = tables.events.columns;
    columns.type.native(type.native);
    columns.msg_index.i32(msgIndex);
    if (decoded !== undefined) this.#appendTyped(list, type, eventIndex, mode, decoded);
    if (type.isTransfer) this.#appendTransfer(list, event, eventIndex);
  }

  #printEvent(
    type: EventType,
    spans: EventSpans,
    eventIndex: number,
    msgIndex: number,
    mode: string,
    decoded: string | undefined,
    first: number,
    end: number,
  ): void {
    const out = this.#text;
    out.literal(EVENT_INDEX);
    out.decimal(eventIndex);
    out.literal(type.printed);
    if (msgIndex >= 0) out.decimal(msgIndex);
    else out.literal(NULL);
    if (mode === '') {
      out.literal(ATTRIBUTES);
    } else {
      out.text(`,"mode":"${mode}"`);
      out.literal(ATTRIBUTES);
    }
    for (let attribute = first; attribute < end; attribute++) {
      if (attribute > first) out.byte(44);
      if (spans.isEscaped(attribute)) {
        out.text(`{"key":"${spans.key(attribute)}","value":"${spans.value(attribute)}"}`);
      } else {
        // the node's own bytes from {"key":" to the value's closing quote; what it prints of `index` is left out
        out.copy(spans.bytes, spans.keyStart(attribute) - KEY_LITERAL_BYTES, spans.valueEnd(attribute) + 1);
        out.byte(125);
      }
    }
    if (decoded === undefined) out.literal(UNTYPED);
    else out.text(`],"decoded":${decoded},"applied":false}`);
  }

  #decoded(type: EventType, spans: EventSpans, first: number, own: number): string | undefined {
    const attributes: { key: string; value: string }[] = [];
    for (let attribute = first; attribute < own; attribute++) {
      attributes.push({
        key: unescapeCanonical(spans.key(attribute)),
        value: unescapeCanonical(spans.value(attribute)),
      });
    }
    return this.#stage.registry.renderTypedEvent(type.name, attributes);
  }

  #readAccounts(list: EventList, type: EventType, first: number, end: number): void {
    const { accounts } = this.#stage;
    const { spans } = list;
    for (let attribute = first; attribute < end; attribute++) {
      const start = spans.valueStart(attribute);
      const account = accounts.at(spans.bytes, start, spans.valueEnd(attribute));
      if (account === undefined) continue;
      if (account.seenIn !== list.mentioned) {
        account.seenIn = list.mentioned;
        list.mentioned.add(account.text);
      }
      if (type.bankKeys.length === 0 || account.isModule) continue;
      for (const key of type.bankKeys) if (spans.hasKey(attribute, key)) list.parties.add(account.text);
    }
  }

  #appendTyped(list: EventList, type: EventType, eventIndex: number, mode: string, decoded: string): void {
    const { typedEvents } = this.#stage.tables;
    const columns = typedEvents.columns;
    columns.height.u64(list.height);
    columns.tx_index.i32(list.txIndex);
    columns.event_index.u32(eventIndex);
    columns.type.native(type.native);
    columns.mode.latin1(mode);
    columns.code.u32(list.code);
    columns.decoded.latin1(decoded);
    typedEvents.rows++;
  }

  #appendTransfer(list: EventList, event: number, eventIndex: number): void {
    const { transfers } = this.#stage.tables;
    const columns = transfers.columns;
    columns.height.u64(list.height);
    columns.tx_index.i32(list.txIndex);
    columns.event_index.u32(eventIndex);
    columns.sender.latin1(list.spans.find(event, 'sender') ?? '');
    columns.recipient.latin1(list.spans.find(event, 'recipient') ?? '');
    columns.amount.latin1(list.spans.find(event, 'amount') ?? '');
    transfers.rows++;
  }
}

/** The index in the SDK's trailing attribute, −1 when it is none. */
function msgIndexOf(spans: EventSpans, attribute: number): number {
  if (!spans.hasKey(attribute, 'msg_index')) return -1;
  const { bytes } = spans;
  const start = spans.valueStart(attribute);
  const end = spans.valueEnd(attribute);
  if (end === start || end - start > 9) return -1;
  let index = 0;
  for (let i = start; i < end; i++) {
    const digit = (bytes[i] as number) - 48;
    if (digit < 0 || digit > 9) return -1;
    index = index * 10 + digit;
  }
  return index;
}

/** The mode in the SDK's trailing attribute, empty when it is none. */
function modeOf(spans: EventSpans, attribute: number): string {
  if (!spans.hasKey(attribute, 'mode')) return '';
  const value = spans.value(attribute);
  return value === 'BeginBlock' || value === 'EndBlock' ? value : '';
}
