import { LENGTH_DELIMITED, Wire } from './wire.ts';

/**
 * FileDescriptorSet by hand: protobufjs drops the custom options that decide how a value prints, and builds
 * every type where a chain uses few. The set is indexed once by name; a type is read when it is first used.
 */

export const TYPE_DOUBLE = 1;
export const TYPE_FLOAT = 2;
export const TYPE_INT64 = 3;
export const TYPE_UINT64 = 4;
export const TYPE_INT32 = 5;
export const TYPE_FIXED64 = 6;
export const TYPE_FIXED32 = 7;
export const TYPE_BOOL = 8;
export const TYPE_STRING = 9;
export const TYPE_GROUP = 10;
export const TYPE_MESSAGE = 11;
export const TYPE_BYTES = 12;
export const TYPE_UINT32 = 13;
export const TYPE_ENUM = 14;
export const TYPE_SFIXED32 = 15;
export const TYPE_SFIXED64 = 16;
export const TYPE_SINT32 = 17;
export const TYPE_SINT64 = 18;

const LABEL_REPEATED = 3;

// Extension numbers of FieldOptions and MessageOptions.
const GOGOPROTO_NULLABLE = 65001;
const GOGOPROTO_CUSTOMTYPE = 65003;
const GOGOPROTO_CASTTYPE = 65007;
const GOGOPROTO_STDTIME = 65010;
const GOGOPROTO_STDDURATION = 65011;
const COSMOS_MSG_SIGNER = 11110000;
const MAP_ENTRY = 7;

export interface FieldDescriptor {
  readonly name: string;
  readonly number: number;
  /** One of the TYPE_ numbers. */
  readonly type: number;
  /** Full name of the message or enum, empty for scalars. */
  readonly typeName: string;
  readonly repeated: boolean;
  /** Index of the real oneof; −1 outside of one (a proto3 `optional` is not in one). */
  readonly oneofIndex: number;
  /** A pointer in Go: `null` when unset. */
  readonly nullable: boolean;
  /** Go type that replaces the field's own (gogoproto.customtype), empty without. */
  readonly customType: string;
  /** Go type of the same shape (gogoproto.casttype), empty without. */
  readonly castType: string;
  /** google.protobuf.Timestamp as Go's time.Time (gogoproto.stdtime). */
  readonly stdTime: boolean;
  /** google.protobuf.Duration as Go's time.Duration (gogoproto.stdduration). */
  readonly stdDuration: boolean;
}

export interface MessageDescriptor {
  readonly name: string;
  /** In declared order. */
  readonly fields: readonly FieldDescriptor[];
  readonly mapEntry: boolean;
  /** Field names of the option cosmos.msg.v1.signer. */
  readonly signerFields: readonly string[];
}

/** Value names by number; of aliases the first. */
export type EnumDescriptor = ReadonlyMap<number, string>;

export interface DescriptorIndex {
  readonly messageCount: number;
  has(messageName: string): boolean;
  message(name: string): MessageDescriptor | undefined;
  enum(name: string): EnumDescriptor | undefined;
}

interface Located {
  readonly start: number;
  readonly end: number;
  readonly proto2: boolean;
}

/**
 * Indexes FileDescriptorSet bytes (or a FileDescriptorsResponse, which has the same wire form). Of two files
 * that declare one name the first wins. Throws proto_malformed.
 */
export function indexDescriptors(bytes: Uint8Array): DescriptorIndex {
  const wire = new Wire(bytes);
  const messageRanges = new Map<string, Located>();
  const enumRanges = new Map<string, Located>();
  eachField(wire, 0, wire.bytes.length, (number, end) => {
    if (number === 1) indexFile(wire, wire.pos, end, messageRanges, enumRanges);
  });
  const exists = (name: string): boolean => messageRanges.has(name) || enumRanges.has(name);
  const resolve: NameResolver = (scope, name) => resolveName(exists, scope, name);
  const messages = new Map<string, MessageDescriptor>();
  const enums = new Map<string, EnumDescriptor>();
  return {
    messageCount: messageRanges.size,
    has: (name) => messageRanges.has(name),
    message: (name) => cached(messages, messageRanges, name, (at) => readMessage(wire, name, at, resolve)),
    enum: (name) => cached(enums, enumRanges, name, (at) => readEnum(wire, at)),
  };
}

/** The full name of a type that a field names within a message. */
type NameResolver = (scope: string, name: string) => string;

/** Compilers write full names with a leading dot; a relative name belongs to the innermost scope that has it. */
function resolveName(exists: (name: string) => boolean, scope: string, name: string): string {
  if (name === '' || name.startsWith('.')) return name.slice(1);
  for (let within = scope; within !== ''; within = within.slice(0, Math.max(0, within.lastIndexOf('.')))) {
    if (exists(`${within}.${name}`)) return `${within}.${name}`;
  }
  return name;
}

function cached<T>(
  known: Map<string, T>,
  ranges: ReadonlyMap<string, Located>,
  name: string,
  read: (at: Located) => T,
): T | undefined {
  const hit = known.get(name);
  if (hit !== undefined) return hit;
  const at = ranges.get(name);
  if (at === undefined) return undefined;
  const value = read(at);
  known.set(name, value);
  return value;
}

/**
 * Visits every field. For length-delimited ones the cursor stands at the value and `valueEnd` tells where it
 * ends; for varints the value is in wire.lo. The visitor may leave the cursor anywhere.
 */
function eachField(
  wire: Wire,
  start: number,
  end: number,
  visit: (fieldNumber: number, valueEnd: number) => void,
): void {
  wire.pos = start;
  while (wire.pos < end) {
    const tag = wire.readTag();
    let next: number;
    if ((tag & 7) === LENGTH_DELIMITED) next = wire.readEnd(end);
    else {
      wire.skip(tag, end);
      next = wire.pos;
    }
    visit(tag >>> 3, next);
    wire.pos = next;
  }
}

function indexFile(
  wire: Wire,
  start: number,
  end: number,
  messages: Map<string, Located>,
  enums: Map<string, Located>,
): void {
  let scope = '';
  let proto2 = true;
  eachField(wire, start, end, (number, valueEnd) => {
    if (number === 2) scope = `${wire.text(wire.pos, valueEnd)}.`;
    else if (number === 12) proto2 = wire.text(wire.pos, valueEnd) === 'proto2';
  });
  eachField(wire, start, end, (number, valueEnd) => {
    const at = { start: wire.pos, end: valueEnd, proto2 };
    if (number === 4) indexMessage(wire, scope, at, messages, enums);
    else if (number === 5) addOnce(enums, scope + nameAt(wire, at), at);
  });
}

function indexMessage(
  wire: Wire,
  scope: string,
  at: Located,
  messages: Map<string, Located>,
  enums: Map<string, Located>,
): void {
  const name = scope + nameAt(wire, at);
  addOnce(messages, name, at);
  eachField(wire, at.start, at.end, (number, end) => {
    const nested = { start: wire.pos, end, proto2: at.proto2 };
    if (number === 3) indexMessage(wire, `${name}.`, nested, messages, enums);
    else if (number === 4) addOnce(enums, `${name}.${nameAt(wire, nested)}`, nested);
  });
}

function addOnce(ranges: Map<string, Located>, name: string, at: Located): void {
  if (!ranges.has(name)) ranges.set(name, at);
}

/** Field 1 of DescriptorProto and EnumDescriptorProto. */
function nameAt(wire: Wire, at: Located): string {
  let name = '';
  eachField(wire, at.start, at.end, (number, end) => {
    if (number === 1) name = wire.text(wire.pos, end);
  });
  return name;
}

function readMessage(wire: Wire, name: string, at: Located, resolve: NameResolver): MessageDescriptor {
  const fields: FieldDescriptor[] = [];
  const signerFields: string[] = [];
  let mapEntry = false;
  eachField(wire, at.start, at.end, (number, end) => {
    if (number === 2) fields.push(readField(wire, wire.pos, end, at.proto2, (type) => resolve(name, type)));
    else if (number === 7) {
      eachField(wire, wire.pos, end, (option, optionEnd) => {
        if (option === MAP_ENTRY) mapEntry = wire.lo !== 0;
        else if (option === COSMOS_MSG_SIGNER) signerFields.push(wire.text(wire.pos, optionEnd));
      });
    }
  });
  return { name, fields, mapEntry, signerFields };
}

function readField(
  wire: Wire,
  start: number,
  end: number,
  proto2: boolean,
  resolve: (typeName: string) => string,
): FieldDescriptor {
  const texts = new Map<number, string>();
  const integers = new Map<number, number>();
  const optionTexts = new Map<number, string>();
  const optionIntegers = new Map<number, number>();
  eachField(wire, start, end, (number, valueEnd) => {
    if (number === 1 || number === 6) texts.set(number, wire.text(wire.pos, valueEnd));
    else if (number === 8) {
      eachField(wire, wire.pos, valueEnd, (option, optionEnd) => {
        if (option === GOGOPROTO_CUSTOMTYPE || option === GOGOPROTO_CASTTYPE) {
          optionTexts.set(option, wire.text(wire.pos, optionEnd));
        } else optionIntegers.set(option, wire.lo);
      });
    } else integers.set(number, wire.lo);
  });
  const type = integers.get(5) ?? 0;
  const proto3Optional = integers.get(17) === 1;
  const customType = optionTexts.get(GOGOPROTO_CUSTOMTYPE) ?? '';
  const pointer = proto2 || proto3Optional || type === TYPE_MESSAGE || customType !== '';
  return {
    name: texts.get(1) ?? '',
    number: integers.get(3) ?? 0,
    type,
    typeName: resolve(texts.get(6) ?? ''),
    repeated: integers.get(4) === LABEL_REPEATED,
    oneofIndex: proto3Optional ? -1 : (integers.get(9) ?? -1),
    nullable: pointer && optionIntegers.get(GOGOPROTO_NULLABLE) !== 0,
    customType,
    castType: optionTexts.get(GOGOPROTO_CASTTYPE) ?? '',
    stdTime: optionIntegers.get(GOGOPROTO_STDTIME) === 1,
    stdDuration: optionIntegers.get(GOGOPROTO_STDDURATION) === 1,
  };
}

function readEnum(wire: Wire, at: Located): EnumDescriptor {
  const names = new Map<number, string>();
  eachField(wire, at.start, at.end, (number, end) => {
    if (number !== 2) return;
    let name = '';
    let value = 0;
    eachField(wire, wire.pos, end, (part, partEnd) => {
      if (part === 1) name = wire.text(wire.pos, partEnd);
      else if (part === 2) value = wire.lo;
    });
    if (!names.has(value)) names.set(value, name);
  });
  return names;
}
