import { timingSafeEqual } from 'node:crypto';
import { utf8ToBytes } from '../core/bytes.ts';
import { StrataError } from '../core/errors.ts';
import { hmacSha256, sha256 } from '../core/hash.ts';

/**
 * Opaque keyset cursors: a position, bound by an HMAC to the route and the filter it was made for, so that
 * nothing else opens it (answers.md, "Conventions"). Layout: version 1, kind 1, page size 1, height 8, tx index 4,
 * tag 16 bytes; base64url.
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
  /** Errors: bad_request when malformed, tampered with, or made for another scope. */
  decode(scope: CursorScope, text: string): Cursor;
  /**
   * A position in a list of another order: the values of its sort key, each as text, at most MAX_KEY_BYTES together.
   * Lists whose order can change begin it with the height that the first page was read at.
   */
  encodeKey(scope: CursorScope, key: readonly string[]): string;
  /** `length` values. Errors: as decode. */
  decodeKey(scope: CursorScope, text: string, length: number): readonly string[];
}

export const MAX_KEY_BYTES = 1_000;

/** Equal on every API process of one chain and schema, so that a cursor opens on any of them. */
export function deriveCursorKey(chainId: string, schemaVersion: number): Uint8Array {
  return sha256(utf8ToBytes(JSON.stringify(['strata cursor', VERSION, chainId, schemaVersion])));
}

export function createCursorCodec(key: Uint8Array): CursorCodec {
  const tagOf = (scope: CursorScope, payload: Uint8Array): Uint8Array =>
    hmacSha256(key, Buffer.concat([payload, utf8ToBytes(JSON.stringify(scope))])).subarray(0, TAG_BYTES);

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
    decodeKey: (scope, text, length) => {
      const payload = unseal(scope, text, (bytes) => bytes > 0 && bytes <= MAX_KEY_BYTES);
      const [version, ...key]: unknown[] = JSON.parse(payload.toString('utf8'));
      if (version !== VERSION || key.length !== length) {
        throw new StrataError('bad_request', 'cursor is of another version');
      }
      return key as string[];
    },
  };
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

function decodePayload(payload: Buffer): Cursor {
  const kind = KINDS[payload[1] as number];
  if (payload[0] !== VERSION || kind === undefined) {
    throw new StrataError('bad_request', 'cursor is of another version');
  }
  if (kind === 'last') return { kind, pageSize: payload[2] as number };
  return { kind, key: { height: Number(payload.readBigUInt64BE(3)), txIndex: payload.readUInt32BE(11) } };
}
