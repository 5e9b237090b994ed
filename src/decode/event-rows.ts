import { isObject } from 'strata-kit/json';
import type { Column } from '../core/native.ts';
import type { RangeTables } from './columns.ts';
import { EventText } from './event-text.ts';
import type { EventType, EventTypes } from './event-types.ts';
import { unescapeCanonical } from './json-text.ts';
import { Literal } from './literal.ts';
import type { AccountReader } from './parties.ts';
import type { ProtoRegistry } from './proto/registry.ts';
import type { EventsText } from './results.ts';
import { QUOTE, type ScanSource } from './scan-source.ts';

/** What the events of one height have in common. */
export interface HeightEvents {
  readonly height: number;
  /** 0.34 and 0.37: how many of the block-level events came in begin_block_events; −1 where attributes say the mode. */
  readonly beginBlockEvents: number;
  /** Takes `/` and the type of each event whose message no descriptor has. */
  readonly unknownTypeUrls: Set<string>;
}

interface EventStage {
  readonly tables: RangeTables;
  readonly types: EventTypes;
  readonly registry: ProtoRegistry;
  readonly accounts: AccountReader;
}

const NO_HEIGHT: HeightEvents = {
  height: 0,
  beginBlockEvents: -1,
  unknownTypeUrls: new Set(),
};

const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const COMMA = 44;
const BACKSLASH = 92;
const OPEN_BRACE = 123;
const TYPE = new Literal('{"type":"');
const EVENT_INDEX = new Literal('{"event_index":');
const NULL = new Literal('null');
const BEGIN_BLOCK = new Literal(',"mode":"BeginBlock"');
const END_BLOCK = new Literal(',"mode":"EndBlock"');
/** Fields of the asset modules in which somebody may write what reads as an account, though it is none. */
const FREE_TEXTS: ReadonlySet<string> = new Set([
  'type',
  'ref',
  'route_id',
  'denom',
  'settlement_denom',
  'local_denom',
]);
/** What an event prints besides its type, its attributes and its message; its index takes 10 digits at most. */
const FRAME_BYTES = 256;

/** Reads lists of events, prints them as the API's JSON text and appends the rows of events, typed_events and transfers. */
export class EventRows {
  readonly #stage: EventStage;
  readonly #text = new EventText();
  #height = NO_HEIGHT;
  /** What the event read last ended with, and so probably the next: the index and the mode stand before the attributes. */
  #msgIndex = -1;
  #mode = '';
  #lastType: EventType | undefined;
  #generation = 0;

  constructor(stage: EventStage) {
    this.#stage = stage;
  }

  /** The lists read since startHeight. */
  get text(): Buffer {
    return this.#text.bytes;
  }

  startHeight(height: HeightEvents): void {
    this.#height = height;
    this.#text.length = 0;
  }

  /**
   * Reads a list of events: a tx's, or the block-level ones (txIndex −1, code 0). `applied` is printed as false: it is
   * decided when read. Errors: DEVIATION.
   */
  readList(source: ScanSource, txIndex: number, code: number): EventsText {
    const text = this.#text;
    const { events } = this.#stage.tables;
    const mentioned: string[] = [];
    const parties = new Set<string>();
    let hasTxLogs = false;
    let count = 0;
    this.#msgIndex = -1;
    this.#mode = '';
    text.reserve(2);
    const start = text.length;
    text.byte(OPEN_BRACKET);
    if (source.openList()) {
      do {
        if (count > 0) text.byte(COMMA);
        const type = this.#readEvent(source, txIndex, count);
        if (type.hasSubjects) this.#readSubjects(mentioned, parties);
        else this.#readAccounts(type, mentioned, parties);
        events.columns.type.native(type.native);
        events.columns.msg_index.i32(this.#msgIndex);
        if (type.isTyped) this.#finishTyped(type, txIndex, code, count);
        if (type.isTransfer) this.#appendTransfer(txIndex, count);
        if (type.isTxLog) hasTxLogs = true;
        if (type.isUnknown) this.#height.unknownTypeUrls.add(`/${type.name}`);
        count++;
      } while (source.nextItem());
    }
    text.byte(CLOSE_BRACKET);
    events.columns.height.u64Repeated(this.#height.height, count);
    events.columns.tx_index.i32Repeated(txIndex, count);
    events.columns.event_index.u32Sequence(count);
    events.rows += count;
    return { count, start, end: text.length, mentioned, parties, hasTxLogs };
  }

  /** Prints an event up to its last attribute; again when it turns out to have another index or mode than the last. */
  #readEvent(source: ScanSource, txIndex: number, eventIndex: number): EventType {
    const text = this.#text;
    const at = source.at;
    const { length } = text;
    const type = this.#readType(source);
    const behindType = source.at;
    for (;;) {
      text.reserve(source.length - at + type.printed.length + FRAME_BYTES);
      this.#printHead(type, eventIndex);
      text.copyAttributes(source, type.shapes);
      if (this.#isAsGuessed(txIndex, eventIndex)) return type;
      source.at = behindType;
      text.length = length;
    }
  }

  /** source.at ends on the closing quote. */
  #readType(source: ScanSource): EventType {
    const { generation } = this.#stage.types;
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#lastType = undefined;
    }
    const guess = this.#lastType?.next;
    const isGuess =
      guess !== undefined &&
      source.matches(guess.source, source.at) &&
      source.bytes[source.at + guess.source.length] === QUOTE;
    if (isGuess) {
      source.at += guess.source.length;
      this.#lastType = guess;
      return guess;
    }
    source.expect(TYPE);
    const start = source.at;
    source.skipString();
    source.at--;
    const type = this.#stage.types.at(source.bytes, start, source.at);
    if (this.#lastType !== undefined) this.#lastType.next = type;
    this.#lastType = type;
    return type;
  }

  #printHead(type: EventType, eventIndex: number): void {
    const text = this.#text;
    text.literal(EVENT_INDEX);
    text.decimal(eventIndex);
    text.literal(type.printed);
    if (this.#msgIndex >= 0) text.decimal(this.#msgIndex);
    else text.literal(NULL);
    if (this.#mode !== '') text.literal(this.#mode === 'BeginBlock' ? BEGIN_BLOCK : END_BLOCK);
  }

  /** Whether index and mode are those that were printed; notes them when they are not. */
  #isAsGuessed(txIndex: number, eventIndex: number): boolean {
    const text = this.#text;
    let msgIndex = -1;
    let mode = '';
    if (txIndex >= 0) msgIndex = msgIndexOf(text);
    else if (this.#height.beginBlockEvents >= 0)
      mode = eventIndex < this.#height.beginBlockEvents ? 'BeginBlock' : 'EndBlock';
    else mode = modeOf(text);
    if (msgIndex === this.#msgIndex && mode === this.#mode) return true;
    this.#msgIndex = msgIndex;
    this.#mode = mode;
    return false;
  }

  /** Prints the message of a typed event, and appends its row. */
  #finishTyped(type: EventType, txIndex: number, code: number, eventIndex: number): void {
    const text = this.#text;
    const decoded = this.#decoded(type);
    text.text(`,"decoded":${decoded ?? null},"applied":false}`);
    if (decoded === undefined) return;
    const { typedEvents } = this.#stage.tables;
    const columns = typedEvents.columns;
    columns.height.u64(this.#height.height);
    columns.tx_index.i32(txIndex);
    columns.event_index.u32(eventIndex);
    columns.type.native(type.native);
    columns.mode.latin1(this.#mode);
    columns.code.u32(code);
    columns.decoded.latin1(decoded);
    typedEvents.rows++;
  }

  #decoded(type: EventType): string | undefined {
    const text = this.#text;
    // the SDK's trailing attribute is no field
    const hasTrailer = this.#msgIndex >= 0 || (this.#mode !== '' && this.#height.beginBlockEvents < 0);
    const count = hasTrailer ? text.attributeCount - 1 : text.attributeCount;
    const attributes: { key: string; value: string }[] = [];
    for (let attribute = 0; attribute < count; attribute++) {
      attributes.push({
        key: unescapeCanonical(text.key(attribute)),
        value: unescapeCanonical(text.value(attribute)),
      });
    }
    return this.#stage.registry.renderTypedEvent(type.name, attributes);
  }

  #readAccounts(type: EventType, mentioned: string[], parties: Set<string>): void {
    const { accounts } = this.#stage;
    const text = this.#text;
    for (let attribute = 0; attribute < text.attributeCount; attribute++) {
      const start = text.valueStart(attribute);
      if (text.bytes[start] !== accounts.firstByte) continue;
      const account = accounts.at(text, start, text.valueEnd(attribute));
      if (account === undefined) continue;
      if (account.seenIn !== mentioned) {
        account.seenIn = mentioned;
        mentioned.push(account.text);
      }
      if (type.bankKeys.length === 0 || account.isModule) continue;
      if (type.bankKeys.includes(text.key(attribute))) parties.add(account.text);
    }
  }

  /**
   * An event of the asset modules is about every account in a field of its own, and about those in the members of a field
   * that is an object: the same that the modules' specs name (src/derive/derivation.ts, Subjects). Values are the fields'
   * JSON, so that texts stand in quotes, which some nodes leave out.
   */
  #readSubjects(mentioned: string[], parties: Set<string>): void {
    const { accounts } = this.#stage;
    const text = this.#text;
    for (let attribute = 0; attribute < text.attributeCount; attribute++) {
      const outer = text.valueStart(attribute);
      const isQuoted = text.bytes[outer] === BACKSLASH && text.bytes[outer + 1] === QUOTE;
      const start = isQuoted ? outer + 2 : outer;
      const end = isQuoted ? text.valueEnd(attribute) - 2 : text.valueEnd(attribute);
      if (text.bytes[start] !== accounts.firstByte) {
        if (!isQuoted && text.bytes[start] === OPEN_BRACE && !FREE_TEXTS.has(text.key(attribute)))
          this.#readMembers(text.value(attribute), mentioned, parties);
        continue;
      }
      const account = accounts.at(text, start, end);
      if (account === undefined || FREE_TEXTS.has(text.key(attribute))) continue;
      if (account.seenIn !== mentioned) {
        account.seenIn = mentioned;
        mentioned.push(account.text);
      }
      parties.add(account.text);
    }
  }

  #readMembers(value: string, mentioned: string[], parties: Set<string>): void {
    for (const text of membersOf(unescapeCanonical(value))) {
      const account = this.#stage.accounts.fromText(text);
      if (account === '') continue;
      if (!mentioned.includes(account)) mentioned.push(account);
      parties.add(account);
    }
  }

  #appendTransfer(txIndex: number, eventIndex: number): void {
    const { transfers } = this.#stage.tables;
    const columns = transfers.columns;
    columns.height.u64(this.#height.height);
    columns.tx_index.i32(txIndex);
    columns.event_index.u32(eventIndex);
    this.#appendValue(columns.sender, 'sender');
    this.#appendValue(columns.recipient, 'recipient');
    this.#appendValue(columns.amount, 'amount');
    transfers.rows++;
  }

  /** The value of the event's first attribute with this key, unescaped; empty when it has none. */
  #appendValue(column: Column, key: string): void {
    const text = this.#text;
    const attribute = text.find(key);
    if (attribute < 0) column.latin1('');
    else if (text.isEscaped(attribute)) column.latin1(unescapeCanonical(text.value(attribute)));
    else column.copy(text.bytes, text.valueStart(attribute), text.valueEnd(attribute));
  }
}

/** The texts in the members of a JSON object; none of what is no JSON. */
function membersOf(text: string): readonly string[] {
  let object: unknown;
  try {
    object = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return isObject(object) ? Object.values(object).filter((member) => typeof member === 'string') : [];
}

/** The index in the SDK's trailing attribute, −1 when it is none. */
function msgIndexOf(text: EventText): number {
  const last = text.attributeCount - 1;
  if (last < 0 || text.key(last) !== 'msg_index') return -1;
  const { bytes } = text;
  const start = text.valueStart(last);
  const end = text.valueEnd(last);
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
function modeOf(text: EventText): string {
  const last = text.attributeCount - 1;
  if (last < 0 || text.key(last) !== 'mode') return '';
  const value = text.value(last);
  return value === 'BeginBlock' || value === 'EndBlock' ? value : '';
}
