import { timingSafeEqual } from 'node:crypto';
import { utf8ToBytes } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { hmacSha256 } from 'strata-kit/hash';
import type { KeyField, KeyValues } from './cursor-fields.ts';
import { MAX_LIMIT } from './params.ts';

/**
 * Opaque keyset cursors: a position, bound by an HMAC to the route and the filter it was made for, so that
 * nothing else opens it (answers.md, "Conventions"). Layout: version 1, kind 1, page size 1, height 8, tx index 4,
 * tag 16 bytes; base64url.
 *
 * The key is random and secret (src/store/cursor-keys.ts). The values are checked all the same after opening: who gets
 * hold of the key must not get more than another page of the same list.
 */

const VERSION = 1;
const KINDS = ['next', 'prev', 'last'] as const;
const PAYLOAD_BYTES = 15;
const TAG_BYTES = 16;

export interface TxKey {
  readonly height: number;
  /** 0 in lists of blocks. */
  readonly txIndex: number;
}

/** `next`: the rows older than the key. `prev`: the rows newer. `last`: the oldest page, cut by its own page size. */
export type Cursor =
  | { readonly kind: 'next' | 'prev'; readonly key: TxKey }
  | { readonly kind: 'last'; readonly pageSize: number };

/** What a cursor belongs to: the route's template and every filter that shapes the list. */
export type CursorScope = readonly string[];

export interface CursorCodec {
  encode(scope: CursorScope, cursor: Cursor): string;
  /** Errors: bad_request when malformed, tampered with, made for another scope, or with a value that no cursor has. */
  decode(scope: CursorScope, text: string): Cursor;
  /**
   * A position in a list of another order: the values of its sort key, each as text, at most MAX_KEY_BYTES together.
   * Lists whose order can change begin it with the height that the first page was read at.
   */
  encodeKey(scope: CursorScope, key: readonly string[]): string;
  /** One value for each field, each read by it (src/api/cursor-fields.ts). Errors: as decode. */
  decodeKey<F extends readonly KeyField<unknown>[]>(
    scope: CursorScope,
    text: string,
    fields: F,
  ): KeyValues<F>;
}

export const MAX_KEY_BYTES = 1_000;

/** `key`: asked for each cursor, as it may come into the store later than the process starts. */
export function createCursorCodec(key: () => Uint8Array): CursorCodec {
  const tagOf = (scope: CursorScope, payload: Uint8Array): Uint8Array =>
    hmacSha256(key(), Buffer.concat([payload, utf8ToBytes(JSON.stringify(scope))])).subarray(0, TAG_BYTES);

  const seal = (scope: CursorScope, payload: Uint8Array): string =>
    Buffer.concat([payload, tagOf(scope, payload)]).toString('base64url');

  /** Errors: bad_request. */
  const unseal = (scope: CursorScope, text: string, isLength: (bytes: number) => boolean): Buffer => {
    const bytes = Buffer.from(text, 'base64url');
    // Buffer skips what is not base64url, so only the text that these bytes print counts
    const wellFormed = isLength(bytes.length - TAG_BYTES) && bytes.toString('base64url') === text;
    if (!wellFormed) throw new StrataError('bad_request', 'cursor is malformed');
    const payload = bytes.subarray(0, -TAG_BYTES);
    if (!timingSafeEqual(bytes.subarray(-TAG_BYTES), tagOf(scope, payload))) {
      throw new StrataError('bad_request', 'cursor is damaged or belongs to another list');
    }
    return payload;
  };

  return {
    encode: (scope, cursor) => seal(scope, encodePayload(cursor)),
    decode: (scope, text) => decodePayload(unseal(scope, text, (bytes) => bytes === PAYLOAD_BYTES)),
    encodeKey: (scope, key) => {
      const payload = utf8ToBytes(JSON.stringify([VERSION, ...key]));
      if (payload.length > MAX_KEY_BYTES)
        throw new StrataError('internal', 'a cursor of more than its bytes');
      return seal(scope, payload);
    },
    decodeKey: (scope, text, fields) =>
      decodeKeyPayload(
        unseal(scope, text, (bytes) => bytes > 0 && bytes <= MAX_KEY_BYTES),
        fields,
      ),
  };
}

/** Errors: bad_request. */
function decodeKeyPayload<F extends readonly KeyField<unknown>[]>(payload: Buffer, fields: F): KeyValues<F> {
  const [version, ...texts] = parseArray(payload.toString('utf8'));
  if (version !== VERSION || texts.length !== fields.length) throw ofAnotherVersion();
  const values = fields.map((field, i) => {
    const text = texts[i];
    const value = typeof text === 'string' ? field(text) : undefined;
    if (value === undefined) throw outOfRange();
    return value;
  });
  return values as KeyValues<F>;
}

/** Empty for what is no JSON array. */
function parseArray(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function ofAnotherVersion(): StrataError {
  return new StrataError('bad_request', 'cursor is of another version');
}

function outOfRange(): StrataError {
  return new StrataError('bad_request', 'cursor holds a value that no cursor of this list has');
}

function encodePayload(cursor: Cursor): Buffer {
  const payload = Buffer.alloc(PAYLOAD_BYTES);
  payload[0] = VERSION;
  payload[1] = KINDS.indexOf(cursor.kind);
  if (cursor.kind === 'last') {
    payload[2] = cursor.pageSize;
  } else {
    payload.writeBigUInt64BE(BigInt(cursor.key.height), 3);
    payload.writeUInt32BE(cursor.key.txIndex, 11);
  }
  return payload;
}

/** Errors: bad_request. */
function decodePayload(payload: Buffer): Cursor {
  const kind = KINDS[payload[1] as number];
  if (payload[0] !== VERSION || kind === undefined) throw ofAnotherVersion();
  const cursor: Cursor =
    kind === 'last'
      ? { kind, pageSize: payload[2] as number }
      : { kind, key: { height: Number(payload.readBigUInt64BE(3)), txIndex: payload.readUInt32BE(11) } };
  const isInRange =
    cursor.kind === 'last'
      ? cursor.pageSize >= 1 && cursor.pageSize <= MAX_LIMIT
      : Number.isSafeInteger(cursor.key.height);
  // the bytes that a kind does not use are zero, so that every cursor has one text
  if (!isInRange || !encodePayload(cursor).equals(payload)) throw outOfRange();
  return cursor;
}
