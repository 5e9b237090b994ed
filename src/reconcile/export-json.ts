import { bytesToHex } from '../core/bytes.ts';
import { isObject } from '../core/json.ts';
import type { QueryJson } from './chain-queries.ts';

/** Readers of proto-JSON that take a field that is left out as its default, as proto-JSON may leave it out. */

export function list(json: QueryJson, field: string): readonly QueryJson[] {
  const value = json[field];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function texts(json: QueryJson, field: string): readonly string[] {
  const value = json[field];
  return Array.isArray(value) ? value.map(String) : [];
}

export function object(json: QueryJson, field: string): QueryJson {
  const value = json[field];
  return isObject(value) ? value : {};
}

/** A text, a number or an enum's name; empty where unset. */
export function text(json: QueryJson, field: string): string {
  const value = json[field];
  return value === undefined || value === null ? '' : String(value);
}

/** Decimal digits; 0 where unset. */
export function integer(json: QueryJson, field: string): string {
  return text(json, field) || '0';
}

export function bool(json: QueryJson, field: string): string {
  return String(json[field] === true);
}

/** Base64 of bytes as lower-case hex. */
export function hex(json: QueryJson, field: string): string {
  return bytesToHex(Buffer.from(text(json, field), 'base64'));
}

/** An RFC 3339 time without trailing zeros of its fraction; empty where unset. */
export function time(json: QueryJson, field: string): string {
  return text(json, field)
    .replace(/(\.\d*?)0+Z$/, '$1Z')
    .replace('.Z', 'Z');
}
