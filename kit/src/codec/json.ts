import type { DescField, DescMessage, Message } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import type { Json, JsonObject } from '../proto-json.ts';
import { formatTimeNs } from '../time.ts';
import { unknownFieldError } from './unknown.ts';

/**
 * Messages as the Cosmos SDK prints them: snake_case, defaults present, 64-bit integers as texts, bytes in base64,
 * enums by name. A message that is not set is null; a field marked `optional`, or of a oneof, that is not set is absent.
 */

/** What is done with fields that the descriptors do not know. `critical`: refused but for those with bit 11 (ADR-020). */
export type UnknownFields = 'refuse' | 'critical' | 'ignore';

export interface Printing {
  readonly unknown: UnknownFields;
  readonly any: (typeUrl: string, bytes: Uint8Array, printing: Printing) => JsonObject;
}

type Values = Readonly<Record<string, unknown>>;
type Print = (value: unknown, printing: Printing) => Json;
type Printer = (message: Message, printing: Printing) => Json;

const printers = new WeakMap<DescMessage, Printer>();

export function printerOf(desc: DescMessage): Printer {
  let printer = printers.get(desc);
  if (printer === undefined) {
    printer = wellKnown(desc) ?? generic(desc);
    printers.set(desc, printer);
  }
  return printer;
}

/** 0001-01-01 and 10000-01-01 in seconds since 1970. */
const FIRST_SECOND = -62_135_596_800n;
const AFTER_LAST_SECOND = 253_402_300_800n;

/**
 * Seconds and nanoseconds with 0, 3, 6 or 9 digits of fraction. Throws for what is no time to the SDK either (gogoproto's
 * validateTimestamp): indexers and RFC 3339 have no word for it.
 */
export function timestampText(seconds: bigint, nanos: number): string {
  if (seconds < FIRST_SECOND) throw new RangeError('timestamp: before 0001-01-01');
  if (seconds >= AFTER_LAST_SECOND) throw new RangeError('timestamp: after 10000-01-01');
  if (nanos < 0 || nanos >= 1_000_000_000) throw new RangeError('timestamp: nanos not in range [0, 1e9)');
  const text = formatTimeNs(seconds * 1_000_000_000n + BigInt(nanos));
  const [whole = '', fraction] = text.slice(0, -1).split('.');
  return fraction === undefined
    ? text
    : `${whole}.${fraction.padEnd(Math.ceil(fraction.length / 3) * 3, '0')}Z`;
}

function wellKnown(desc: DescMessage): Printer | undefined {
  if (desc.typeName === 'google.protobuf.Timestamp') {
    return (message) => {
      const { seconds, nanos } = message as unknown as { seconds: bigint; nanos: number };
      return timestampText(seconds, nanos);
    };
  }
  if (desc.typeName === 'google.protobuf.Any') {
    return (message, printing) => {
      const { typeUrl, value } = message as unknown as { typeUrl: string; value: Uint8Array };
      return printing.any(typeUrl, value, printing);
    };
  }
  return undefined;
}

function generic(desc: DescMessage): Printer {
  // filled at the first message, so that types that hold themselves end
  let fields:
    | readonly ((values: Values, into: Record<string, Json>, printing: Printing) => void)[]
    | undefined;
  return (message, printing) => {
    if (message.$unknown !== undefined && printing.unknown !== 'ignore') {
      const error = unknownFieldError(desc.typeName, message.$unknown, printing.unknown);
      if (error !== undefined) throw error;
    }
    fields ??= desc.fields.map(fieldPrinter);
    const into: Record<string, Json> = {};
    for (const field of fields) field(message as unknown as Values, into, printing);
    return into;
  };
}

function fieldPrinter(field: DescField) {
  const { name, localName, oneof } = field;
  const print = valuePrinter(field);
  if (oneof !== undefined) {
    return (values: Values, into: Record<string, Json>, printing: Printing) => {
      const chosen = values[oneof.localName] as { readonly case?: string; readonly value?: unknown };
      if (chosen.case === localName) into[name] = print(chosen.value, printing);
    };
  }
  const unset = field.fieldKind === 'message' ? null : undefined;
  return (values: Values, into: Record<string, Json>, printing: Printing) => {
    const value = values[localName];
    if (value !== undefined) into[name] = print(value, printing);
    else if (unset === null) into[name] = null;
  };
}

function valuePrinter(field: DescField): Print {
  switch (field.fieldKind) {
    case 'scalar':
      return scalarPrinter(field.scalar);
    case 'enum':
      return (value) => field.enum.value[value as number]?.name ?? (value as number);
    case 'message':
      return (value, printing) => printerOf(field.message)(value as Message, printing);
    case 'list': {
      const item = itemPrinter(field);
      return (value, printing) => (value as readonly unknown[]).map((one) => item(one, printing));
    }
    default:
      throw new Error(`${field.toString()}: maps are not in use`);
  }
}

function itemPrinter(field: DescField & { readonly fieldKind: 'list' }): Print {
  if (field.listKind === 'scalar') return scalarPrinter(field.scalar);
  if (field.listKind === 'enum') {
    return (value) => field.enum.value[value as number]?.name ?? (value as number);
  }
  return (value, printing) => printerOf(field.message)(value as Message, printing);
}

function scalarPrinter(type: ScalarType): Print {
  switch (type) {
    case ScalarType.INT64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
    case ScalarType.SINT64:
      return String;
    case ScalarType.BYTES:
      return (value) => {
        const bytes = value as Uint8Array;
        return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
      };
    default:
      return (value) => value as Json;
  }
}
