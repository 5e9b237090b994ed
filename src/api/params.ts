import { accountBytes, encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { StrataError } from 'strata-kit/errors';

/** Readers of path and query parameters (answers.md, "Conventions"): what does not parse is a bad_request. */

export const MAX_LIMIT = 100;
export const DEFAULT_LIMIT = 50;
const HEIGHT_END = 2n ** 63n;

/** An account in the forms that answers name. */
export interface AccountAddress {
  readonly bytes: Uint8Array;
  /** Canonical form, lower case. */
  readonly bech32: string;
  /** EIP-55; null for a key of 32 bytes. */
  readonly evmAddress: string | null;
}

export interface TxHashParam {
  readonly kind: 'consensus' | 'eth';
  /** 64 lower-case hex digits, without 0x. */
  readonly hex: string;
}

export function parseLimit(text: string | undefined, defaultLimit = DEFAULT_LIMIT): number {
  if (text === undefined) return defaultLimit;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > MAX_LIMIT) {
    throw new StrataError('bad_request', `limit must be an integer from 1 to ${MAX_LIMIT}`);
  }
  return limit;
}

/** 0 up to, not including, 2^63. */
export function parseHeight(text: string): bigint {
  const height = parseNonNegativeInteger(text);
  if (height === undefined || height >= HEIGHT_END) {
    throw new StrataError('bad_request', 'height must be a non-negative integer below 2^63');
  }
  return height;
}

/** Decimal digits of any number; undefined for anything else. */
export function parseNonNegativeInteger(text: string): bigint | undefined {
  return /^\d+$/.test(text) ? BigInt(text) : undefined;
}

export function parseTxHash(text: string): TxHashParam {
  const hash = readTxHash(text);
  if (hash === undefined) {
    throw new StrataError(
      'bad_request',
      'hash must be 64 hex digits, or 0x and 64 hex digits of an eth hash',
    );
  }
  return hash;
}

export function readTxHash(text: string): TxHashParam | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return { kind: 'consensus', hex: text.toLowerCase() };
  if (/^0[xX][0-9a-fA-F]{64}$/.test(text)) return { kind: 'eth', hex: text.slice(2).toLowerCase() };
  return undefined;
}

const ASSET_ID = /^[0-9a-f]{64}$/;

/** 64 lower-case hex digits. */
export function parseAssetId(text: string): string {
  if (ASSET_ID.test(text)) return text;
  throw new StrataError('bad_request', 'an asset id must be 64 lower-case hex digits');
}

/** 100 ids are 6,499 characters; the API takes targets of 8,192, as common proxies do. */
const MAX_ASSET_IDS = 100;

/** Asset ids with commas between; each once, in the order in which they are asked for. */
export function parseAssetIds(text: string | undefined): readonly string[] {
  const ids = (text ?? '').split(',', MAX_ASSET_IDS + 1);
  if (ids.length > MAX_ASSET_IDS || !ids.every((id) => ASSET_ID.test(id))) {
    throw new StrataError(
      'bad_request',
      `ids must be 1 to ${MAX_ASSET_IDS} asset ids of 64 lower-case hex digits, with commas between`,
    );
  }
  return [...new Set(ids)];
}

const KIND_IDS = 2n ** 32n;

/** A kind's number within its asset. Errors: bad_request; not_found for one that no kind can have. */
export function parseKindId(text: string): number {
  const kindId = parseNonNegativeInteger(text);
  if (kindId === undefined) throw new StrataError('bad_request', 'kind must be a non-negative integer');
  if (kindId >= KIND_IDS) throw new StrataError('not_found', 'the asset has no such kind');
  return Number(kindId);
}

/** A type URL: `/` and a proto full name. Undefined when the parameter is absent. */
export function parseMethod(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (!/^\/[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/.test(text)) {
    throw new StrataError('bad_request', 'method must be / and the full proto name of a message');
  }
  return text;
}

export function parseAddress(text: string, hrp: string): AccountAddress {
  const address = readAddress(text, hrp);
  if (address === undefined) {
    throw new StrataError('bad_request', `address must be a valid ${hrp}1… or 0x address`);
  }
  return address;
}

/** See accountBytes for what counts as an address; undefined for anything else. */
export function readAddress(text: string, hrp: string): AccountAddress | undefined {
  const bytes = accountBytes(text, hrp);
  if (bytes === undefined) return undefined;
  return {
    bytes,
    bech32: encodeBech32(hrp, bytes),
    evmAddress: bytes.length === 20 ? toChecksumAddress(bytes) : null,
  };
}
