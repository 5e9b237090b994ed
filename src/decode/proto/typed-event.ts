import {
  type DescriptorIndex,
  type EnumDescriptor,
  type FieldDescriptor,
  TYPE_BOOL,
  TYPE_BYTES,
  TYPE_DOUBLE,
  TYPE_ENUM,
  TYPE_FIXED32,
  TYPE_FIXED64,
  TYPE_FLOAT,
  TYPE_GROUP,
  TYPE_INT32,
  TYPE_INT64,
  TYPE_MESSAGE,
  TYPE_SFIXED32,
  TYPE_SFIXED64,
  TYPE_SINT32,
  TYPE_SINT64,
  TYPE_UINT32,
  TYPE_UINT64,
} from './descriptors.ts';
import { quote } from './json-text.ts';
import { enumText } from './scalars.ts';
import type { Transcoder } from './transcoder.ts';

/** An event attribute as JSON-unescaped latin1 text. */
export interface EventAttribute {
  readonly key: string;
  readonly value: string;
}

const INTEGERS_64 = new Set([TYPE_INT64, TYPE_UINT64, TYPE_SINT64, TYPE_FIXED64, TYPE_SFIXED64]);
const NUMBERS = new Set([
  TYPE_INT32,
  TYPE_UINT32,
  TYPE_SINT32,
  TYPE_FIXED32,
  TYPE_SFIXED32,
  TYPE_DOUBLE,
  TYPE_FLOAT,
]);
const JSON_BOOL = /^(?:true|false)$/;
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * Proto-JSON of a typed event (spec/chain.md section 1). Attribute values are the node's own JSON of each
 * field, with or without the outer quotes; fields without an attribute print their defaults. Keys that the
 * message does not declare are left out; of two attributes with one key the first counts.
 */
export function typedEventText(
  descriptors: DescriptorIndex,
  transcoder: Transcoder,
  attributes: readonly EventAttribute[],
): string {
  const values = new Map<string, string>();
  for (const { key, value } of attributes) if (!values.has(key)) values.set(key, value);
  let text = '';
  for (const { descriptor, key, optional, unset } of transcoder.fields) {
    const value = values.get(descriptor.name);
    const printed = value === undefined ? undefined : attributeText(descriptors, descriptor, value);
    if (printed === undefined && optional) continue;
    text += `${text === '' ? '' : ','}${key}${printed ?? unset()}`;
  }
  return `{${text}}`;
}

/** JSON of one attribute's value. Undefined when it stands for an unset field. */
function attributeText(
  descriptors: DescriptorIndex,
  field: FieldDescriptor,
  value: string,
): string | undefined {
  if (value === 'null' && (field.nullable || field.repeated || field.type === TYPE_BYTES)) return undefined;
  if (field.repeated || field.type === TYPE_MESSAGE || field.type === TYPE_GROUP) {
    if (isJson(value)) return value;
    return value === '' ? undefined : quote(value);
  }
  if (INTEGERS_64.has(field.type)) return value === '' ? undefined : stringText(value);
  if (field.type === TYPE_BOOL) return bareText(value, JSON_BOOL);
  if (NUMBERS.has(field.type)) return bareText(value, JSON_NUMBER);
  if (field.type === TYPE_ENUM) return enumValueText(value, descriptors.enum(field.typeName) ?? new Map());
  return stringText(value);
}

/** A JSON string: the value when it is one, else the value in quotes. */
function stringText(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') && isJson(value)
    ? value
    : quote(value);
}

/** A JSON number or bool, without quotes; a string where it is none. */
function bareText(value: string, valid: RegExp): string | undefined {
  const bare = unquoted(value);
  if (bare === '') return undefined;
  return valid.test(bare) ? bare : quote(bare);
}

function enumValueText(value: string, names: EnumDescriptor): string | undefined {
  const bare = unquoted(value);
  if (bare === '') return undefined;
  return /^-?\d+$/.test(bare) ? enumText(names, Number(bare)) : quote(bare);
}

function unquoted(value: string): string {
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
