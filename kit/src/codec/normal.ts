import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import type { Json, JsonObject } from '../proto-json.ts';
import { parseTimeNs } from '../time.ts';
import { timestampText } from './json.ts';

/**
 * Proto-JSON brought into the one form that is printed, without a way over bytes: defaults filled in, null for a
 * message that is not set. Throws an Error that names the field for one that the type has not, or of another type.
 */
export type Normal = (value: Json, path: string) => Json;

const NS_PER_SECOND = 1_000_000_000n;
const INTEGER = /^(0|-?[1-9]\d{0,19})$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const normals = new WeakMap<DescMessage, Normal>();

export function normalOf(desc: DescMessage): Normal {
  let normal = normals.get(desc);
  if (normal === undefined) {
    normal = WELL_KNOWN[desc.typeName] ?? generic(desc);
    normals.set(desc, normal);
  }
  return normal;
}

interface FieldNormal {
  readonly name: string;
  readonly normal: Normal;
  /** Undefined: absent when unset. */
  readonly unset: Json | undefined;
}

function generic(desc: DescMessage): Normal {
  // filled at the first message, so that types that hold themselves end
  let fields: readonly FieldNormal[] | undefined;
  let names: ReadonlySet<string> = new Set();
  return (value, path) => {
    if (fields === undefined) {
      fields = desc.fields.map(fieldNormal);
      names = new Set(fields.map(({ name }) => name));
    }
    if (!isObject(value)) throw wrong(path, 'a message', value);
    const into: Record<string, Json> = {};
    for (const { name, normal, unset } of fields) {
      const given = value[name];
      if (given !== undefined && given !== null) into[name] = normal(given, `${path}.${name}`);
      else if (unset !== undefined) into[name] = unset;
    }
    for (const name in value) if (!names.has(name)) throw new Error(`${path} has no field ${name}`);
    return into;
  };
}

function fieldNormal(field: DescField): FieldNormal {
  return { name: field.name, normal: valueNormal(field), unset: unsetOf(field) };
}

function unsetOf(field: DescField): Json | undefined {
  if (field.oneof !== undefined) return undefined;
  if (field.fieldKind === 'list') return [];
  if (field.fieldKind === 'message') return null;
  return field.proto.proto3Optional ? undefined : defaultOf(field);
}

/** Of a scalar or an enum; undefined for others. */
export function defaultOf(field: DescField): Json | undefined {
  if (field.fieldKind === 'enum') return field.enum.value[0]?.name;
  if (field.fieldKind !== 'scalar') return undefined;
  if (field.scalar === ScalarType.BOOL) return false;
  if (is64(field.scalar)) return '0';
  return field.scalar === ScalarType.STRING || field.scalar === ScalarType.BYTES ? '' : 0;
}

function valueNormal(field: DescField): Normal {
  switch (field.fieldKind) {
    case 'scalar':
      return scalar(field.scalar);
    case 'enum':
      return enumName(field.enum);
    case 'message':
      return message(field.message);
    case 'list': {
      const item =
        field.listKind === 'scalar'
          ? scalar(field.scalar)
          : field.listKind === 'enum'
            ? enumName(field.enum)
            : message(field.message);
      return (value, path) => {
        if (!Array.isArray(value)) throw wrong(path, 'a list', value);
        return value.map((one: Json, i) => item(one, `${path}[${i}]`));
      };
    }
    default:
      throw new Error(`${field.toString()}: maps are not in use`);
  }
}

function message(desc: DescMessage): Normal {
  return (value, path) => normalOf(desc)(value, path);
}

function scalar(type: ScalarType): Normal {
  if (type === ScalarType.STRING) {
    return (value, path) => {
      if (typeof value !== 'string') throw wrong(path, 'a text', value);
      return value;
    };
  }
  if (type === ScalarType.BYTES) {
    return (value, path) => {
      if (typeof value !== 'string' || !BASE64.test(value)) throw wrong(path, 'base64', value);
      return value;
    };
  }
  if (type === ScalarType.BOOL) {
    return (value, path) => {
      if (typeof value !== 'boolean') throw wrong(path, 'true or false', value);
      return value;
    };
  }
  if (is64(type)) {
    return (value, path) => {
      const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
      if (typeof text !== 'string' || !INTEGER.test(text)) {
        throw wrong(path, 'an integer as a text', value);
      }
      return text;
    };
  }
  return (value, path) => {
    if (!Number.isInteger(value)) throw wrong(path, 'an integer', value);
    return value;
  };
}

function enumName(desc: DescEnum): Normal {
  const names = new Set(desc.values.map(({ name }) => name));
  return (value, path) => {
    if (typeof value !== 'string' || !names.has(value))
      throw wrong(path, `a name of ${desc.typeName}`, value);
    return value;
  };
}

const timestamp: Normal = (value, path) => {
  const timeNs = typeof value === 'string' ? parseTimeNs(value) : undefined;
  if (timeNs === undefined) throw wrong(path, 'an RFC 3339 time', value);
  const nanos = ((timeNs % NS_PER_SECOND) + NS_PER_SECOND) % NS_PER_SECOND;
  return timestampText((timeNs - nanos) / NS_PER_SECOND, Number(nanos));
};

/** Its fields are looked at where it is written. */
const any: Normal = (value, path) => {
  if (isObject(value) && typeof value['@type'] === 'string') return value;
  throw wrong(path, "a message with '@type'", value);
};

const WELL_KNOWN: Readonly<Record<string, Normal>> = {
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Any': any,
};

function is64(type: ScalarType): boolean {
  return (
    type === ScalarType.INT64 ||
    type === ScalarType.UINT64 ||
    type === ScalarType.FIXED64 ||
    type === ScalarType.SFIXED64 ||
    type === ScalarType.SINT64
  );
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function wrong(path: string, expected: string, value: Json): Error {
  return new Error(`${path} is ${JSON.stringify(value)?.slice(0, 80)}, not ${expected}`);
}
