import type { MessageDescriptor } from './descriptors.ts';
import type { FieldPlan, Slots } from './field-plan.ts';
import { int64Digits, quote } from './json-text.ts';
import { LENGTH_DELIMITED, malformed, VARINT, type Wire } from './wire.ts';

/** The types of google.protobuf whose JSON is not an object of their fields. */

/** Reads the message from the cursor to `end`. */
export type MessageReader = (wire: Wire, end: number) => string;

type AnyReader = (wire: Wire, typeUrl: string, start: number, end: number) => string;

const FIRST_SECOND = -62_135_596_800; // 0001-01-01T00:00:00Z
const LAST_SECOND = 253_402_300_799; // 9999-12-31T23:59:59Z
const LONGEST_DURATION_SECONDS = 315_576_000_000; // 10,000 years
const NANOS_PER_SECOND = 1_000_000_000;

/** What Go's zero time.Time prints. */
export const ZERO_TIME_TEXT = '"0001-01-01T00:00:00Z"';

/** Well-known types that are read without their descriptor, so that a set may lack them. */
export const SELF_CONTAINED: ReadonlyMap<string, MessageDescriptor> = new Map(
  ['Any', 'Timestamp', 'Duration', 'FieldMask'].map((shortName) => {
    const name = `google.protobuf.${shortName}`;
    return [name, { name, fields: [], mapEntry: false, signerFields: [] }];
  }),
);

const WRAPPER = /^google\.protobuf\.(?:Double|Float|U?Int64|U?Int32|Bool|String|Bytes)Value$/;

/** The reader of a type whose JSON is special, undefined for all others. */
export function specialReader(
  typeName: string,
  fields: readonly FieldPlan[],
  readSlots: (wire: Wire, end: number) => Slots,
  readAny: AnyReader,
): MessageReader | undefined {
  switch (typeName) {
    case 'google.protobuf.Any':
      return (wire, end) => readAnyFields(wire, end, readAny);
    case 'google.protobuf.Timestamp':
      return readTimestamp;
    case 'google.protobuf.Duration':
      return readDuration;
    case 'google.protobuf.FieldMask':
      return readFieldMask;
    case 'google.protobuf.Struct':
      return (wire, end) => `{${readSlots(wire, end)[0] ?? ''}}`;
    case 'google.protobuf.ListValue':
      return (wire, end) => `[${readSlots(wire, end)[0] ?? ''}]`;
    case 'google.protobuf.Value':
      return (wire, end) => readSlots(wire, end).find((text) => text !== undefined) ?? 'null';
  }
  if (!WRAPPER.test(typeName)) return undefined;
  return (wire, end) => readSlots(wire, end)[0] ?? fields[0]?.unset() ?? 'null';
}

function readAnyFields(wire: Wire, end: number, readAny: AnyReader): string {
  let typeUrl = '';
  let valueStart = end;
  let valueEnd = end;
  while (wire.pos < end) {
    const tag = wire.readTag();
    if (tag === 8 + LENGTH_DELIMITED) {
      const urlEnd = wire.readEnd(end);
      typeUrl = wire.text(wire.pos, urlEnd);
      wire.pos = urlEnd;
    } else if (tag === 16 + LENGTH_DELIMITED) {
      valueEnd = wire.readEnd(end);
      valueStart = wire.pos;
      wire.pos = valueEnd;
    } else wire.skip(tag, end);
  }
  const { pos } = wire;
  const text = readAny(wire, typeUrl, valueStart, valueEnd);
  wire.pos = pos;
  return text;
}

interface SecondsAndNanos {
  readonly seconds: number;
  readonly nanos: number;
}

function readSecondsAndNanos(wire: Wire, end: number): SecondsAndNanos {
  let seconds = 0;
  let nanos = 0;
  while (wire.pos < end) {
    const tag = wire.readTag();
    if (tag === 8 + VARINT) {
      wire.readVarint();
      seconds = Number(int64Digits(wire.lo, wire.hi));
    } else if (tag === 16 + VARINT) {
      wire.readVarint();
      nanos = wire.lo;
    } else wire.skip(tag, end);
  }
  return { seconds, nanos };
}

/** RFC 3339 in UTC with 0, 3, 6 or 9 digits of fraction. */
function readTimestamp(wire: Wire, end: number): string {
  const { seconds, nanos } = readSecondsAndNanos(wire, end);
  if (seconds < FIRST_SECOND || seconds > LAST_SECOND) throw malformed('timestamp');
  if (nanos < 0 || nanos >= NANOS_PER_SECOND) throw malformed('timestamp nanos');
  return `"${new Date(seconds * 1000).toISOString().slice(0, 19)}${fraction(nanos)}Z"`;
}

/** Seconds with 0, 3, 6 or 9 digits of fraction and `s`. */
function readDuration(wire: Wire, end: number): string {
  const { seconds, nanos } = readSecondsAndNanos(wire, end);
  if (Math.abs(seconds) > LONGEST_DURATION_SECONDS) throw malformed('duration');
  if (Math.abs(nanos) >= NANOS_PER_SECOND || seconds * nanos < 0) throw malformed('duration nanos');
  const sign = seconds < 0 || nanos < 0 ? '-' : '';
  return `"${sign}${Math.abs(seconds)}${fraction(Math.abs(nanos))}s"`;
}

function fraction(nanos: number): string {
  if (nanos === 0) return '';
  const digits = String(nanos).padStart(9, '0');
  return `.${digits.replace(/(?:000){1,2}$/, '')}`;
}

/** Paths in lowerCamelCase, joined by commas. */
function readFieldMask(wire: Wire, end: number): string {
  const paths: string[] = [];
  while (wire.pos < end) {
    const tag = wire.readTag();
    if (tag === 8 + LENGTH_DELIMITED) {
      const pathEnd = wire.readEnd(end);
      paths.push(wire.text(wire.pos, pathEnd));
      wire.pos = pathEnd;
    } else wire.skip(tag, end);
  }
  return quote(paths.map((path) => path.replace(/_([a-z])/g, (_, c: string) => c.toUpperCase())).join(','));
}
