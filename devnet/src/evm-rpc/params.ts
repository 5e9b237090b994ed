import { parseHexAddress } from 'strata-kit/address';
import { hexToBytes } from 'strata-kit/bytes';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { invalidParams } from './errors.ts';

/** The arguments of calls. Errors: -32602. */

/** 20 bytes. */
export function addressParam(value: Json | undefined, what: string): Uint8Array {
  const bytes = typeof value === 'string' ? parseHexAddress(value.toLowerCase()) : undefined;
  if (bytes === undefined) throw invalidParams(`invalid argument: ${what} is no address`);
  return bytes;
}

export function hashParam(value: Json | undefined, what: string): string {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(value))
    throw invalidParams(`invalid argument: ${what} is no hash of 32 bytes`);
  return value.toLowerCase();
}

export function bytesParam(value: Json | undefined, what: string): Uint8Array {
  const bytes = typeof value === 'string' && value.startsWith('0x') ? hexToBytes(value.slice(2)) : undefined;
  if (bytes === undefined) throw invalidParams(`invalid argument: ${what} is no hex of whole bytes`);
  return bytes;
}

/** Of 256 bits at most. */
export function quantityParam(value: Json | undefined, what: string): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw invalidParams(`invalid argument: ${what} is no quantity`);
  return BigInt(value);
}

export function objectParam(value: Json | undefined, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidParams(`invalid argument: ${what} is no object`);
  return value as JsonObject;
}

/** Undefined where a member is left out or null. */
export function optional<T>(
  value: Json | undefined,
  what: string,
  read: (value: Json | undefined, what: string) => T,
): T | undefined {
  return value === undefined || value === null ? undefined : read(value, what);
}
