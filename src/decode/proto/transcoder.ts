import { isStrataError } from 'strata-kit/errors';
import {
  type DescriptorIndex,
  type FieldDescriptor,
  type MessageDescriptor,
  TYPE_BOOL,
  TYPE_MESSAGE,
  TYPE_STRING,
} from './descriptors.ts';
import type { FieldPlan, Slots } from './field-plan.ts';
import { quote } from './json-text.ts';
import { fillSlots, joinFields, readMap } from './object-reader.ts';
import { base64Text, scalarCodec } from './scalars.ts';
import { type MessageReader, SELF_CONTAINED, specialReader, ZERO_TIME_TEXT } from './well-known.ts';
import { LENGTH_DELIMITED, malformed, Wire } from './wire.ts';

/**
 * Reads one message type's wire bytes and returns proto-JSON text, without objects in between. Made when the
 * type is first met.
 */
export interface Transcoder {
  readonly descriptor: MessageDescriptor;
  readonly fields: readonly FieldPlan[];
  /** JSON text of the message that lies from the cursor to `end`. Throws proto_malformed. */
  readonly read: MessageReader;
  /** Like read, with `@type`. */
  readonly readTyped: (wire: Wire, end: number, typeUrl: string) => string;
}

export interface Transcoders {
  /** Undefined when no descriptor names the type. */
  get(typeName: string): Transcoder | undefined;
  /** By type URL: what follows the last slash is the name. */
  getByUrl(typeUrl: string): Transcoder | undefined;
  /** JSON text of an Any whose value lies at start..end. Broken bytes and unknown types stay base64. */
  readAny(wire: Wire, typeUrl: string, start: number, end: number): string;
}

const NO_BYTES = new Uint8Array(0);

/** Proto-JSON as a node's REST has it (spec/chain.md section 1): declared names, defaults emitted. */
export function createTranscoders(descriptors: DescriptorIndex): Transcoders {
  const compiled = new Map<string, Transcoder>();
  const byCanonicalUrl = new Map<string, Transcoder>();
  const transcoders: Transcoders = {
    get: (typeName) => {
      const hit = compiled.get(typeName);
      if (hit !== undefined) return hit;
      const descriptor = descriptors.message(typeName) ?? SELF_CONTAINED.get(typeName);
      if (descriptor === undefined) return undefined;
      const made = compile(descriptors, transcoders, descriptor);
      compiled.set(typeName, made);
      return made;
    },
    getByUrl: (typeUrl) => {
      const hit = byCanonicalUrl.get(typeUrl);
      if (hit !== undefined) return hit;
      const typeName = typeUrl.slice(typeUrl.lastIndexOf('/') + 1);
      const transcoder = transcoders.get(typeName);
      if (transcoder !== undefined && typeUrl === `/${typeName}`) byCanonicalUrl.set(typeUrl, transcoder);
      return transcoder;
    },
    readAny: (wire, typeUrl, start, end) => readAny(transcoders, wire, typeUrl, start, end),
  };
  return transcoders;
}

function compile(
  descriptors: DescriptorIndex,
  transcoders: Transcoders,
  descriptor: MessageDescriptor,
): Transcoder {
  const fields = descriptor.fields.map((field, slot) =>
    planField(descriptors, transcoders, descriptor, field, slot),
  );
  const find = fieldFinder(fields);
  const readSlots = (wire: Wire, end: number): Slots => {
    const slots = new Array<string | undefined>(fields.length);
    fillSlots(find, wire, wire.pos, end, slots);
    return slots;
  };
  const canonicalUrl = `/${descriptor.name}`;
  const canonicalHead = typeHead(canonicalUrl);
  const headOf = (typeUrl: string): string => (typeUrl === canonicalUrl ? canonicalHead : typeHead(typeUrl));
  const special = specialReader(descriptor.name, fields, readSlots, transcoders.readAny);
  if (special !== undefined) {
    const readTyped = (wire: Wire, end: number, typeUrl: string): string =>
      `${headOf(typeUrl)},"value":${special(wire, end)}}`;
    return { descriptor, fields, read: special, readTyped };
  }
  return {
    descriptor,
    fields,
    read: (wire, end) => joinFields(fields, readSlots(wire, end), '{'),
    readTyped: (wire, end, typeUrl) => joinFields(fields, readSlots(wire, end), headOf(typeUrl)),
  };
}

function typeHead(typeUrl: string): string {
  return `{"@type":${quote(typeUrl)}`;
}

/** A dense table for the low field numbers, which are nearly all there are. */
function fieldFinder(fields: readonly FieldPlan[]): (fieldNumber: number) => FieldPlan | undefined {
  const low: (FieldPlan | undefined)[] = new Array(64).fill(undefined);
  const all = new Map<number, FieldPlan>();
  for (const field of fields) {
    const { number } = field.descriptor;
    if (number < low.length) low[number] = field;
    all.set(number, field);
  }
  return (fieldNumber) => (fieldNumber < low.length ? low[fieldNumber] : all.get(fieldNumber));
}

function planField(
  descriptors: DescriptorIndex,
  transcoders: Transcoders,
  message: MessageDescriptor,
  field: FieldDescriptor,
  slot: number,
): FieldPlan {
  const scalar = scalarCodec(field, descriptors.enum(field.typeName) ?? new Map(), message.name);
  const readBody = messageReader(transcoders, field);
  const entry = mapEntryOf(descriptors, field);
  const isOneof = field.oneofIndex >= 0;
  const merges = scalar === undefined && !field.repeated && !isOneof && !field.stdTime && !field.stdDuration;
  const readOne = scalar?.read ?? delimited(readBody);
  const key = `${quote(field.name)}:`;
  return {
    descriptor: field,
    slot,
    key,
    nextKey: `,${key}`,
    wireType: scalar?.wireType ?? LENGTH_DELIMITED,
    read: entry === undefined ? readOne : mapReader(transcoders, entry, field),
    readMerged: merges ? readBody : undefined,
    map: entry !== undefined,
    optional: isOneof,
    rivals: isOneof ? rivalSlots(message, slot) : [],
    unset: once(() => unsetText(transcoders, field, entry !== undefined, scalar?.unset)),
  };
}

function rivalSlots(message: MessageDescriptor, slot: number): number[] {
  const oneofIndex = message.fields[slot]?.oneofIndex;
  return [...message.fields.keys()].filter(
    (other) => other !== slot && message.fields[other]?.oneofIndex === oneofIndex,
  );
}

function mapEntryOf(descriptors: DescriptorIndex, field: FieldDescriptor): MessageDescriptor | undefined {
  if (field.type !== TYPE_MESSAGE || !field.repeated) return undefined;
  const type = descriptors.message(field.typeName);
  return type?.mapEntry === true ? type : undefined;
}

function mapReader(
  transcoders: Transcoders,
  entry: MessageDescriptor,
  field: FieldDescriptor,
): MessageReader {
  const keyType = entry.fields[0]?.type;
  const numericKeys = keyType !== TYPE_STRING && keyType !== TYPE_BOOL;
  return (wire, end) =>
    readMap(transcoders.get(entry.name)?.fields ?? [], field.number, numericKeys, wire, end);
}

/** Reads a field's message; one whose type the set does not hold (or a group) stays base64. */
function messageReader(transcoders: Transcoders, field: FieldDescriptor): MessageReader {
  let transcoder: Transcoder | undefined;
  return (wire, end) => {
    transcoder ??= transcoders.get(field.typeName);
    if (transcoder === undefined) {
      const text = base64Text(wire, wire.pos, end);
      wire.pos = end;
      return text;
    }
    wire.enter();
    const text = transcoder.read(wire, end);
    if (wire.pos !== end) throw malformed('field beyond its message');
    wire.depth--;
    return text;
  };
}

function delimited(read: MessageReader): MessageReader {
  return (wire, end) => read(wire, wire.readEnd(end));
}

/** Computes at the first call. While it computes it answers null, so that a type that holds itself ends. */
function once(compute: () => string): () => string {
  let text: string | undefined;
  return () => {
    if (text === undefined) {
      text = 'null';
      text = compute();
    }
    return text;
  };
}

/** A message that is no pointer in Go prints its own defaults; every other one null. */
function unsetText(
  transcoders: Transcoders,
  field: FieldDescriptor,
  isMap: boolean,
  scalarUnset: string | undefined,
): string {
  if (field.repeated) return isMap ? '{}' : '[]';
  if (scalarUnset !== undefined) return scalarUnset;
  if (field.nullable || field.typeName === 'google.protobuf.Any') return 'null';
  if (field.stdTime) return ZERO_TIME_TEXT;
  return transcoders.get(field.typeName)?.read(new Wire(NO_BYTES), 0) ?? 'null';
}

function readAny(transcoders: Transcoders, wire: Wire, typeUrl: string, start: number, end: number): string {
  const { depth } = wire;
  let isUnknown = false;
  try {
    const transcoder = transcoders.getByUrl(typeUrl);
    isUnknown = transcoder === undefined;
    if (transcoder !== undefined) {
      wire.pos = start;
      wire.enter();
      const text = transcoder.readTyped(wire, end, typeUrl);
      if (wire.pos !== end) throw malformed('field beyond its message');
      wire.depth = depth;
      return text;
    }
  } catch (error) {
    if (!isStrataError(error, 'proto_malformed')) throw error;
    wire.depth = depth;
  }
  if (isUnknown && typeUrl !== '') wire.onUnknownType(typeUrl);
  wire.pos = end;
  return `${typeHead(typeUrl)},"value":${base64Text(wire, start, end)}}`;
}
