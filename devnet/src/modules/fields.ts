import { decodeBech32, encodeBech32 } from 'strata-kit/address';
import { base64ToBytes } from 'strata-kit/bytes';
import type { Coin } from 'strata-kit/coin';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import { parseAmount } from '../app/amounts.ts';
import type { Refuse } from './refusals.ts';

/** Fields of messages, read out of their proto-JSON. What is malformed is refused with the module's code `invalid`. */

const HASH_BYTES = 32;
const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;
const ASSET_ID = /^[0-9a-f]{64}$/;

export interface Fields {
  /** Whether an optional field is there. */
  isSet(name: string): boolean;
  text(name: string): string;
  flag(name: string): boolean;
  /** uint64. */
  id(name: string): bigint;
  /** uint32; 0 when unset. */
  small(name: string): number;
  assetId(name?: string): string;
  /** In [0, 2^255). */
  amount(name: string): bigint;
  /** In (0, 2^255). */
  positive(name: string): bigint;
  denom(name: string): string;
  /** A coin of more than nothing. */
  coin(name: string): Coin;
  /** Nanoseconds since 1970; null when unset. */
  timeNs(name: string): bigint | null;
  requiredTimeNs(name: string): bigint;
  /** 32 bytes or none, as base64. */
  hash(name: string): string;
  /** An account of the chain, 20 or 32 bytes, in its one bech32 form. */
  address(name: string): string;
  /** `0x` and 64 lower-case hex digits. */
  bytes32(name: string): string;
  choice<T extends string>(name: string, choices: readonly T[]): T;
  /** A repeated field of texts. */
  texts(name: string): readonly string[];
  /** A repeated field of messages. */
  messages(name: string): readonly Fields[];
  /** The message in this field; undefined when unset. */
  inner(name: string): Fields | undefined;
}

export function fieldsOf(message: JsonObject, hrp: string, refuse: Refuse<'invalid'>): Fields {
  const wrong = (name: string, what: string) => refuse('invalid', `${name}: ${what}`);

  function text(name: string): string {
    const value = message[name];
    if (value === undefined || value === null) return '';
    if (typeof value !== 'string') throw wrong(name, 'not a text');
    return value;
  }

  function whole(name: string): bigint {
    const value = message[name] ?? '';
    const digits = typeof value === 'number' ? String(value) : value;
    if (typeof digits !== 'string' || !/^(0|[1-9][0-9]{0,76})$/.test(digits))
      throw wrong(name, 'not a whole number');
    return BigInt(digits);
  }

  function list(name: string): readonly Json[] {
    const value = message[name];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value)) throw wrong(name, 'not a list');
    return value;
  }

  function inside(name: string, value: Json): Fields {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      throw wrong(name, 'not a message');
    return fieldsOf(value as JsonObject, hrp, refuse);
  }

  const fields: Fields = {
    isSet: (name) => message[name] !== undefined && message[name] !== null,
    text,
    flag: (name) => message[name] === true,
    id(name) {
      const value = whole(name);
      if (value >= 1n << 64n) throw wrong(name, 'not below 2^64');
      return value;
    },
    small(name) {
      if (message[name] === undefined || message[name] === null) return 0;
      const value = whole(name);
      if (value >= 1n << 32n) throw wrong(name, 'not below 2^32');
      return Number(value);
    },
    assetId(name = 'asset_id') {
      const value = text(name);
      if (!ASSET_ID.test(value)) throw wrong(name, 'not 64 lower-case hex digits');
      return value;
    },
    amount(name) {
      const value = parseAmount(message[name]);
      if (value === undefined) throw wrong(name, 'not a whole number below 2^255');
      return value;
    },
    positive(name) {
      const value = fields.amount(name);
      if (value === 0n) throw wrong(name, 'zero');
      return value;
    },
    denom(name) {
      const value = text(name);
      if (!DENOM.test(value)) throw wrong(name, 'not a denom');
      return value;
    },
    coin(name) {
      const coin = fields.inner(name);
      if (coin === undefined) throw wrong(name, 'missing');
      return { denom: coin.denom('denom'), amount: coin.positive('amount') };
    },
    timeNs(name) {
      const value = text(name);
      if (value === '') return null;
      const time = parseTimeNs(value);
      if (time === undefined) throw wrong(name, 'not a time');
      return time;
    },
    requiredTimeNs(name) {
      const value = fields.timeNs(name);
      if (value === null) throw wrong(name, 'missing');
      return value;
    },
    hash(name) {
      const value = text(name);
      const { length } = base64ToBytes(value);
      if (length !== 0 && length !== HASH_BYTES) throw wrong(name, `${length} bytes, not ${HASH_BYTES}`);
      return value;
    },
    address(name) {
      const value = text(name);
      if (!isAccount(value, hrp)) throw wrong(name, `not an address of ${hrp}`);
      return value;
    },
    bytes32(name) {
      const value = text(name);
      if (!/^0x[0-9a-f]{64}$/.test(value)) throw wrong(name, 'not 0x and 64 lower-case hex digits');
      return value;
    },
    choice(name, choices) {
      const value = text(name);
      const found = choices.find((choice) => choice === value);
      if (found === undefined) throw wrong(name, `not one of ${choices.join(', ')}`);
      return found;
    },
    texts: (name) =>
      list(name).map((value) => {
        if (typeof value !== 'string') throw wrong(name, 'not a text');
        return value;
      }),
    messages: (name) => list(name).map((value) => inside(name, value)),
    inner(name) {
      const value = message[name];
      return value === undefined || value === null ? undefined : inside(name, value);
    },
  };
  return fields;
}

function isAccount(text: string, hrp: string): boolean {
  const decoded = decodeBech32(text);
  if (decoded === undefined || decoded.hrp !== hrp) return false;
  const { bytes } = decoded;
  return (bytes.length === 20 || bytes.length === 32) && encodeBech32(hrp, bytes) === text;
}

/** A timestamp field of an event or an answer: none when unset. */
export function timeField(name: string, timeNs: bigint | null): JsonObject {
  return timeNs === null ? {} : { [name]: formatTimeNs(timeNs) };
}
