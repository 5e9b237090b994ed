import { bytesToHex } from 'strata-kit/bytes';
import { isObject } from 'strata-kit/json';
import type { QueryJson } from './export.ts';
import { NotComparable } from './not-comparable.ts';

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

/** An index has no bound, but is never that long. */
const DIGITS = /^-?\d{1,1000}$/;

/** Errors: NotComparable. */
export function bigint(json: QueryJson, field: string): bigint {
  const digits = integer(json, field);
  if (!DIGITS.test(digits)) throw new NotComparable(`the field ${field} is no integer`);
  return BigInt(digits);
}

export function bool(json: QueryJson, field: string): string {
  return String(json[field] === true);
}

/** Base64 of bytes as lower-case hex. */
export function hex(json: QueryJson, field: string): string {
  return bytesToHex(Buffer.from(text(json, field), 'base64'));
}

/** `2026-01-01T00:00:00.000000000+00:00` */
const MAX_TIME = 35;

/** An RFC 3339 time without trailing zeros of its fraction; empty where unset. What is longer than a time is left as it is. */
export function time(json: QueryJson, field: string): string {
  const told = text(json, field);
  if (told.length > MAX_TIME) return told;
  return told.replace(/(\.\d*?)0+Z$/, '$1Z').replace('.Z', 'Z');
}
