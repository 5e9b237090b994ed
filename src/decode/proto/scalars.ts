import {
  type EnumDescriptor,
  type FieldDescriptor,
  TYPE_BOOL,
  TYPE_BYTES,
  TYPE_DOUBLE,
  TYPE_ENUM,
  TYPE_FIXED32,
  TYPE_FIXED64,
  TYPE_FLOAT,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_SFIXED32,
  TYPE_SFIXED64,
  TYPE_SINT32,
  TYPE_SINT64,
  TYPE_STRING,
  TYPE_UINT32,
  TYPE_UINT64,
} from './descriptors.ts';
import {
  decText,
  doubleText,
  floatText,
  int64Digits,
  intText,
  quote,
  quoteRange,
  uint64Digits,
} from './json-text.ts';
import { FIXED32, FIXED64, LENGTH_DELIMITED, VARINT, type Wire } from './wire.ts';

const ZERO_DIGIT = 0x30;
const NINE_DIGIT = 0x39;

/** How values of one field travel and print. */
export interface ValueCodec {
  readonly wireType: number;
  /** Reads one value at the cursor, which may not pass `end`, and returns its JSON text. */
  readonly read: (wire: Wire, end: number) => string;
  /** What an unset singular field prints. */
  readonly unset: string;
}

export function enumText(names: EnumDescriptor, number: number): string {
  const name = names.get(number);
  return name === undefined ? String(number) : quote(name);
}

/** Of a field of the message `within`; undefined for messages and groups. */
export function scalarCodec(
  field: FieldDescriptor,
  names: EnumDescriptor,
  within: string,
): ValueCodec | undefined {
  const codec =
    field.type === TYPE_ENUM ? enumCodec(field, names) : (customCodec(field, within) ?? SCALARS[field.type]);
  return codec !== undefined && field.nullable ? { ...codec, unset: 'null' } : codec;
}

function enumCodec(field: FieldDescriptor, names: EnumDescriptor): ValueCodec {
  if (field.typeName === 'google.protobuf.NullValue') return varint('null', () => 'null');
  const texts = new Map([...names.keys()].map((number) => [number, enumText(names, number)]));
  return {
    wireType: VARINT,
    unset: enumText(names, 0),
    read: (wire) => {
      wire.readVarint();
      return texts.get(wire.lo) ?? String(wire.lo);
    },
  };
}

/**
 * Go types that print differently from the field's own type. The option cosmos_proto.scalar = cosmos.Dec does
 * not count by itself: gov v1 has it on plain strings, which hold the decimal point already. An Ethereum tx is
 * 0x hex also where a chain describes its field without that option (spec/chain.md section 1).
 */
function customCodec(field: FieldDescriptor, within: string): ValueCodec | undefined {
  const { customType, castType } = field;
  if (/(?:^|[./])(?:Legacy)?Dec$/.test(customType)) return bytesCodec('"0"', readDec);
  if (/(?:^|[./])U?[Ii]nt$/.test(customType)) return bytesCodec('"0"', readInt);
  if (field.type !== TYPE_BYTES) return undefined;
  const isSignedTx = field.name === 'raw' && /\.MsgEthereumTx$/.test(within);
  if (isSignedTx || /(?:^|[./])EthereumTx$/.test(customType)) return bytesCodec('"0x"', readPrefixedHex);
  if (/(?:^|[./])HexBytes$/.test(castType)) return bytesCodec('""', readUpperHex);
  return undefined;
}

function bytesCodec(unset: string, read: ValueCodec['read']): ValueCodec {
  return { wireType: LENGTH_DELIMITED, unset, read };
}

function readText(wire: Wire, end: number): string {
  const valueEnd = wire.readEnd(end);
  const text = wire.text(wire.pos, valueEnd);
  wire.pos = valueEnd;
  return text;
}

const readDec = (wire: Wire, end: number): string => decText(readText(wire, end));
function readInt(wire: Wire, end: number): string {
  const valueEnd = wire.readEnd(end);
  const { pos } = wire;
  wire.pos = valueEnd;
  const text = wire.text(pos, valueEnd);
  return isPlainInteger(wire, pos, valueEnd) ? `"${text}"` : intText(text);
}

/** Digits without a sign or a leading zero, as nearly every amount is. */
function isPlainInteger(wire: Wire, start: number, end: number): boolean {
  const { bytes } = wire;
  if (start === end || bytes[start] === ZERO_DIGIT) return false;
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number;
    if (byte < ZERO_DIGIT || byte > NINE_DIGIT) return false;
  }
  return true;
}

function readPrefixedHex(wire: Wire, end: number): string {
  const valueEnd = wire.readEnd(end);
  const text = `"0x${wire.bytes.toString('hex', wire.pos, valueEnd)}"`;
  wire.pos = valueEnd;
  return text;
}

function readUpperHex(wire: Wire, end: number): string {
  const valueEnd = wire.readEnd(end);
  const text = `"${wire.bytes.toString('hex', wire.pos, valueEnd).toUpperCase()}"`;
  wire.pos = valueEnd;
  return text;
}

function readBase64(wire: Wire, end: number): string {
  const valueEnd = wire.readEnd(end);
  const text = base64Text(wire, wire.pos, valueEnd);
  wire.pos = valueEnd;
  return text;
}

/** JSON of the bytes start..end in base64. */
export function base64Text(wire: Wire, start: number, end: number): string {
  return `"${wire.bytes.toString('base64', start, end)}"`;
}

function varint(unset: string, print: (wire: Wire) => string): ValueCodec {
  return {
    wireType: VARINT,
    unset,
    read: (wire) => {
      wire.readVarint();
      return print(wire);
    },
  };
}

function fixed32(print: (lo: number) => string): ValueCodec {
  return {
    wireType: FIXED32,
    unset: '0',
    read: (wire) => {
      wire.readFixed32();
      return print(wire.lo);
    },
  };
}

function fixed64(unset: string, print: (wire: Wire) => string): ValueCodec {
  return {
    wireType: FIXED64,
    unset,
    read: (wire) => {
      wire.readFixed64();
      return print(wire);
    },
  };
}

const float = new DataView(new ArrayBuffer(4));

function floatBits(bits: number): number {
  float.setInt32(0, bits);
  return float.getFloat32(0);
}

/** −1 for an odd number and 0 for an even one: the mask that undoes zigzag. */
const zigzagMask = (lo: number): number => -(lo & 1);

const SCALARS: Readonly<Record<number, ValueCodec>> = {
  [TYPE_DOUBLE]: fixed64('0', (wire) => doubleText(wire.bytes.readDoubleLE(wire.pos - 8))),
  [TYPE_FLOAT]: fixed32((lo) => floatText(floatBits(lo))),
  [TYPE_INT64]: varint('"0"', (wire) => `"${int64Digits(wire.lo, wire.hi)}"`),
  [TYPE_UINT64]: varint('"0"', (wire) => `"${uint64Digits(wire.lo, wire.hi)}"`),
  [TYPE_INT32]: varint('0', (wire) => String(wire.lo)),
  [TYPE_FIXED64]: fixed64('"0"', (wire) => `"${uint64Digits(wire.lo, wire.hi)}"`),
  [TYPE_FIXED32]: fixed32((lo) => String(lo >>> 0)),
  [TYPE_BOOL]: varint('false', (wire) => (wire.lo !== 0 || wire.hi !== 0 ? 'true' : 'false')),
  [TYPE_STRING]: bytesCodec('""', (wire, end) => quoteRange(wire, wire.readEnd(end))),
  // Unset bytes are a nil slice in Go, which jsonpb prints as null.
  [TYPE_BYTES]: bytesCodec('null', readBase64),
  [TYPE_UINT32]: varint('0', (wire) => String(wire.lo >>> 0)),
  [TYPE_SFIXED32]: fixed32((lo) => String(lo)),
  [TYPE_SFIXED64]: fixed64('"0"', (wire) => `"${int64Digits(wire.lo, wire.hi)}"`),
  [TYPE_SINT32]: varint('0', (wire) => String((wire.lo >>> 1) ^ zigzagMask(wire.lo))),
  [TYPE_SINT64]: varint('"0"', (wire) => {
    const mask = zigzagMask(wire.lo);
    const lo = ((wire.lo >>> 1) | (wire.hi << 31)) ^ mask;
    return `"${int64Digits(lo, (wire.hi >>> 1) ^ mask)}"`;
  }),
};
