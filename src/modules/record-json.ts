import { isZeroBytes } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';

/** What the answers about numbered records have in common: settlements, encumbrances, delegations. */

/** Ids are below it (api.md has them as integers of 64 bits with a sign). */
export const RECORD_ID_END = 1n << 63n;

/** A number of api.md's RecordId, 0 up to, not including, 2^63. Errors: bad_request. */
export function parseRecordId(text: string): bigint {
  const id = /^\d+$/.test(text) ? BigInt(text) : RECORD_ID_END;
  if (id >= RECORD_ID_END)
    throw new StrataError('bad_request', 'id must be a non-negative integer below 2^63');
  return id;
}

/** JSON text of `{id, ...rest}`: an id is printed in full, also where a number would round it. */
export function jsonWithId(id: bigint, rest: object): string {
  return `{"id":${id},${JSON.stringify(rest).slice(1)}`;
}

/** A tx's hash as answers print it; null for the zeros of a row that no tx made. */
export function txHashJson(hash: Uint8Array): string | null {
  return isZeroBytes(hash) ? null : bytesToHex(hash).toUpperCase();
}

/** A stored time of the chain, which is empty where unset. */
export function timeJson(text: string): string | null {
  return text === '' ? null : text;
}
