import type { DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { type BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import type { Json, JsonObject } from '../proto-json.ts';
import { parseTimeNs } from '../time.ts';
import { defaultOf } from './normal.ts';

/**
 * Proto-JSON in its normal form (normal.ts) to bytes: fields by number, defaults left out unless the field is `optional`
 * or of a oneof, numbers packed. Any values are written by their type, with `/` and the full name as URL.
 */
export interface Writing {
  readonly any: (message: JsonObject) => { readonly typeUrl: string; readonly value: Uint8Array };
}

type Write = (value: Json, into: BinaryWriter, writing: Writing) => void;

const NS_PER_SECOND = 1_000_000_000n;
const writers = new WeakMap<DescMessage, Write>();

export function writerOf(desc: DescMessage): Write {
  let writer = writers.get(desc);
  if (writer === undefined) {
    writer = wellKnown(desc) ?? generic(desc);
    writers.set(desc, writer);
  }
  return writer;
}

function wellKnown(desc: DescMessage): Write | undefined {
  if (desc.typeName === 'google.protobuf.Timestamp') {
    return (value, into) => {
      const timeNs = parseTimeNs(value as string) ?? 0n;
      const nanos = ((timeNs % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
      const seconds = (timeNs - nanos) / NS_PER_SECOND;
      if (seconds !== 0n) into.tag(1, WireType.Varint).int64(seconds);
      if (nanos !== 0n) into.tag(2, WireType.Varint).int32(Number(nanos));
    };
  }
  if (desc.typeName === 'google.protobuf.Any') {
    return (value, into, writing) => {
      const { typeUrl, value: bytes } = writing.any(value as JsonObject);
      into.tag(1, WireType.LengthDelimited).string(typeUrl);
      if (bytes.length > 0) into.tag(2, WireType.LengthDelimited).bytes(bytes);
    };
  }
  return undefined;
}

function generic(desc: DescMessage): Write {
  // filled at the first message, so that types that hold themselves end
  let fields: readonly (readonly [name: string, write: Write])[] | undefined;
  return (value, into, writing) => {
    fields ??= [...desc.fields]
      .sort((a, b) => a.number - b.number)
      .map((field) => [field.name, fieldWriter(field)] as const);
    for (const [name, write] of fields) {
      const given = (value as JsonObject)[name];
      if (given !== undefined && given !== null) write(given, into, writing);
    }
  };
}

function fieldWriter(field: DescField): Write {
  const { number } = field;
  if (field.fieldKind === 'message') return messageWriter(number, field.message);
  if (field.fieldKind === 'list') {
    if (field.listKind === 'message') return each(messageWriter(number, field.message));
    const [wireType, write] = field.listKind === 'enum' ? enumValue(field.enum.values) : scalar(field.scalar);
    const one: Write = (value, into, writing) => write(value, into.tag(number, wireType), writing);
    if (wireType === WireType.LengthDelimited) return each(one);
    return (values, into, writing) => {
      if ((values as readonly Json[]).length === 0) return;
      into.tag(number, WireType.LengthDelimited).fork();
      for (const value of values as readonly Json[]) write(value, into, writing);
      into.join();
    };
  }
  if (field.fieldKind === 'map') throw new Error(`${field.toString()}: maps are not in use`);
  const [wireType, write] = field.fieldKind === 'enum' ? enumValue(field.enum.values) : scalar(field.scalar);
  const isExplicit = field.oneof !== undefined || field.proto.proto3Optional;
  const zero = isExplicit ? undefined : defaultOf(field);
  return (value, into, writing) => {
    if (value !== zero) write(value, into.tag(number, wireType), writing);
  };
}

function each(write: Write): Write {
  return (values, into, writing) => {
    for (const value of values as readonly Json[]) write(value, into, writing);
  };
}

function messageWriter(number: number, desc: DescMessage): Write {
  return (value, into, writing) => {
    into.tag(number, WireType.LengthDelimited).fork();
    writerOf(desc)(value, into, writing);
    into.join();
  };
}

function enumValue(values: readonly { readonly name: string; readonly number: number }[]): [WireType, Write] {
  const numbers = new Map(values.map(({ name, number }) => [name, number]));
  return [WireType.Varint, (value, into) => into.int32(numbers.get(value as string) ?? 0)];
}

function scalar(type: ScalarType): [WireType, Write] {
  switch (type) {
    case ScalarType.STRING:
      return [WireType.LengthDelimited, (value, into) => into.string(value as string)];
    case ScalarType.BYTES:
      return [WireType.LengthDelimited, (value, into) => into.bytes(Buffer.from(value as string, 'base64'))];
    case ScalarType.BOOL:
      return [WireType.Varint, (value, into) => into.bool(value as boolean)];
    case ScalarType.UINT64:
      return [WireType.Varint, (value, into) => into.uint64(value as string)];
    case ScalarType.INT64:
      return [WireType.Varint, (value, into) => into.int64(value as string)];
    case ScalarType.UINT32:
      return [WireType.Varint, (value, into) => into.uint32(value as number)];
    case ScalarType.INT32:
      return [WireType.Varint, (value, into) => into.int32(value as number)];
    default:
      throw new Error(`scalar type ${type} is not in use`);
  }
}
