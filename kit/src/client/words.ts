import type { DescEnum, DescField, DescMessage } from '@bufbuild/protobuf';
import { ScalarType } from '@bufbuild/protobuf';
import { hexToBytes } from '../bytes.ts';
import type { Json, JsonObject } from '../proto-json.ts';
import { formatTimeNs, parseTimeNs } from '../time.ts';
import { inputError } from './errors.ts';

/** Words of a command line as proto-JSON, by the type of the field that they stand for. Errors: input. */

export interface WordContext {
  /** Times such as +10m count from here. */
  readonly nowNs: bigint;
}

const SECONDS: Readonly<Record<string, bigint>> = { s: 1n, m: 60n, h: 3_600n, d: 86_400n };

const OTHER_SIDE = 'on the other side: 0x and 64 hex digits';
const ADDRESS = 'an address of the chain';

/** By message and field, or by field alone. */
const HINTS: Readonly<Record<string, string>> = {
  asset_id: '64 hex digits, or @asset for the one that this tx creates',
  kind_id: 'number of the kind, from 0',
  units: 'in the smallest unit',
  amount: 'in the smallest unit',
  denom: 'such as uusd',
  ref: 'of a routed income: encumbrance/<id>',
  holder: ADDRESS,
  recipient: ADDRESS,
  beneficiary: ADDRESS,
  delegate: ADDRESS,
  counterparty: ADDRESS,
  subject: ADDRESS,
  to: ADDRESS,
  to_address: ADDRESS,
  route_id: 'the name of the route',
  remote_domain: 'number of the other chain',
  remote_contract: `needed; ${OTHER_SIDE}`,
  local_denom: 'the coin of NATIVE_OUT and SYNTHETIC_IN',
  window_seconds: 'in which the limits count; 0 for no limits',
  outbound_limit: 'most that may leave within a window',
  inbound_limit: 'most that may come within a window',
  message_id: '0x and 64 hex digits, once only',
  'MsgTransferOut.recipient': OTHER_SIDE,
  'MsgReceiveIn.sender': OTHER_SIDE,
  'MsgCreateRoute.asset_id': 'the asset of RIGHT_OUT',
  'MsgCreateRoute.kind_id': 'the kind of RIGHT_OUT, unless it is of bundles',
  'MsgCreateRoute.bundle': 'true or false; RIGHT_OUT of one unit of every bundle kind',
};

/** Text in the protos, and a count of the smallest units. */
const UNIT_FIELDS: ReadonlySet<string> = new Set(['units', 'amount', 'outbound_limit', 'inbound_limit']);

/** What a word for this field looks like, for --help. */
export function wordHint(field: DescField): string {
  return HINTS[`${field.parent.name}.${field.name}`] ?? (typeHint(field) || (HINTS[field.name] ?? ''));
}

function typeHint(field: DescField): string {
  if (field.fieldKind === 'list') {
    if (field.listKind === 'enum') return `${enumHint(field.enum)}, comma-separated`;
    return field.listKind === 'message' ? messageHint(field.message, true) : 'comma-separated';
  }
  if (field.fieldKind === 'enum') return enumHint(field.enum);
  if (field.fieldKind === 'message') return messageHint(field.message, false);
  if (field.fieldKind !== 'scalar') return '';
  if (field.scalar === ScalarType.BYTES) return 'hex';
  return field.scalar === ScalarType.BOOL ? 'true or false' : '';
}

export function wordToJson(field: DescField, word: string, context: WordContext): Json {
  if (field.fieldKind === 'list') {
    if (field.listKind === 'message' && word.startsWith('[')) return jsonWord(field.name, word);
    const parts = word === '' ? [] : word.split(',');
    if (field.listKind === 'enum') return parts.map((part) => enumWord(field.enum, part, field.name));
    if (field.listKind === 'message' && isCoin(field.message)) return coinsWord(word, field.name);
    if (field.listKind === 'message') {
      return parts.map((part) => messageWord(field.message, part, field.name, context));
    }
    return parts;
  }
  if (field.fieldKind === 'enum') return enumWord(field.enum, word, field.name);
  if (field.fieldKind === 'message') return messageWord(field.message, word, field.name, context);
  if (field.fieldKind !== 'scalar') throw inputError(`${field.name} cannot be given in words`);
  if (field.scalar === ScalarType.STRING && UNIT_FIELDS.has(field.name)) return unitsWord(word, field.name);
  return scalarWord(field.scalar, word, field.name);
}

export function coinWord(word: string, name: string): JsonObject {
  const match = /^(\d+)([a-zA-Z][a-zA-Z0-9/:._-]{1,127})$/.exec(word);
  if (match === null) throw inputError(`${name} is '${word}', not an amount and its denom, such as 100uusd`);
  return { denom: match[2] ?? '', amount: match[1] ?? '' };
}

/** Coins in the order of their denoms, which is the one that the chain takes. */
export function coinsWord(word: string, name: string): JsonObject[] {
  const coins = (word === '' ? [] : word.split(',')).map((part) => coinWord(part, name));
  const denoms = coins.map(({ denom }) => String(denom));
  if (new Set(denoms).size < denoms.length)
    throw inputError(`${name} is '${word}', which names a denom twice`);
  return coins.sort((a, b) => (String(a.denom) < String(b.denom) ? -1 : 1));
}

/** `<asset>/<kind>/<units>`, or coins. */
export function legWord(direction: string, word: string): JsonObject {
  const [asset_id = '', kind = '', units, more] = word.split('/');
  // denoms of other chains hold a slash too, ids of assets are 64 hex digits
  if (units === undefined || more !== undefined || !/^([0-9a-f]{64}|@asset)$/.test(asset_id)) {
    return { direction, coin: coinWord(word, 'a leg') };
  }
  return {
    direction,
    right: {
      asset_id,
      kind_id: wholeNumber(kind, 'kind of a leg'),
      units: unitsWord(units, 'units of a leg'),
    },
  };
}

export function wholeNumber(word: string, name: string): number {
  if (/^\d{1,10}$/.test(word)) return Number(word);
  throw inputError(`${name} is '${word}', not a whole number`);
}

/** Digits alone: on a command line nothing separates thousands, and the smallest unit has no fraction. */
function unitsWord(word: string, name: string): string {
  if (/^[0-9]{1,78}$/.test(word)) return word;
  throw inputError(
    `${name} is '${word}', not a whole number of the smallest unit: write digits alone, without a point or a comma`,
  );
}

function scalarWord(type: ScalarType, word: string, name: string): Json {
  if (type === ScalarType.STRING) return word;
  if (type === ScalarType.BOOL) {
    if (word === 'true' || word === 'false') return word === 'true';
    throw inputError(`${name} is '${word}', not true or false`);
  }
  if (type === ScalarType.BYTES) {
    const bytes = hexToBytes(word);
    if (bytes === undefined) throw inputError(`${name} is '${word}', not hex`);
    return Buffer.from(bytes).toString('base64');
  }
  if (type === ScalarType.UINT32 || type === ScalarType.INT32) return wholeNumber(word, name);
  if (!/^\d{1,20}$/.test(word)) throw inputError(`${name} is '${word}', not a whole number`);
  return String(BigInt(word));
}

/** Names without what all have in front, in any case: pledge, VOTE. */
function enumWord(desc: DescEnum, word: string, name: string): string {
  const wanted = word.toUpperCase().replaceAll('-', '_');
  const found = enumNames(desc).find(([full, short]) => full === wanted || short === wanted);
  if (found !== undefined) return found[0];
  throw inputError(`${name} is '${word}', not one of ${enumHint(desc)}`);
}

function enumNames(desc: DescEnum): readonly (readonly [full: string, short: string])[] {
  const prefix = (desc.values[0]?.name ?? '').replace(/UNSPECIFIED$/, '');
  return desc.values
    .filter(({ number }) => number !== 0)
    .map(({ name }) => [name, name.startsWith(prefix) ? name.slice(prefix.length) : name] as const);
}

function enumHint(desc: DescEnum): string {
  return enumNames(desc)
    .map(([, short]) => short)
    .join(', ');
}

function messageHint({ typeName }: DescMessage, isList: boolean): string {
  const name = typeName.split('.').at(-1);
  if (name === 'Coin') return isList ? 'such as 100uusd,5aaeva' : 'such as 100uusd';
  if (name === 'Timestamp') return 'RFC 3339, or +90s, +10m, +24h, +7d from now';
  if (name === 'Policy') return 'OPEN, CLOSED, or ATTESTED:<type,…>:<attester,…>';
  if (name === 'Roles') return '<operator>:<releaser>, either may be empty';
  if (name === 'Tier') return '<tier>:<kind-id>[:<cap>], comma-separated';
  return 'proto-JSON';
}

function messageWord(desc: DescMessage, word: string, name: string, context: WordContext): Json {
  if (word.startsWith('{')) return jsonWord(name, word);
  switch (desc.typeName.split('.').at(-1)) {
    case 'Coin':
      return coinWord(word, name);
    case 'Timestamp':
      return timeWord(word, name, context);
    case 'Policy':
      return policyWord(word, name);
    case 'Roles': {
      const [operator = '', releaser = ''] = word.split(':');
      return { operator, releaser };
    }
    case 'Tier': {
      const [tier = '', kind = '', cap = '0'] = word.split(':');
      return {
        tier: wholeNumber(tier, `${name}: the tier`),
        kind_id: wholeNumber(kind, `${name}: the kind`),
        cap: unitsWord(cap, `${name}: the cap`),
      };
    }
    default:
      throw inputError(`${name} is '${word}', not proto-JSON`);
  }
}

function timeWord(word: string, name: string, { nowNs }: WordContext): string {
  const [, count = '', unit = ''] = /^\+(\d{1,9})([smhd])$/.exec(word) ?? [];
  const seconds = SECONDS[unit];
  if (seconds !== undefined) return formatTimeNs(nowNs + BigInt(count) * seconds * 1_000_000_000n);
  if (parseTimeNs(word) !== undefined) return word;
  throw inputError(`${name} is '${word}', not an RFC 3339 time and not +90s, +10m, +24h or +7d`);
}

function policyWord(word: string, name: string): JsonObject {
  // types may hold colons, addresses do not
  const [, mode = '', types = '', attesters = ''] = /^([^:]*)(?::(.*?))?(?::([^:]*))?$/.exec(word) ?? [];
  if (!/^(open|closed|attested)$/i.test(mode)) {
    throw inputError(`${name} is '${word}', not OPEN, CLOSED or ATTESTED:<type,…>:<attester,…>`);
  }
  const list = (text: string) => (text === '' ? [] : text.split(','));
  return {
    mode: `POLICY_MODE_${mode.toUpperCase()}`,
    required_types: list(types),
    attesters: list(attesters),
  };
}

function isCoin({ typeName }: DescMessage): boolean {
  return typeName === 'cosmos.base.v1beta1.Coin';
}

function jsonWord(name: string, word: string): Json {
  try {
    return JSON.parse(word) as Json;
  } catch {
    throw inputError(`${name} begins like JSON and is none`);
  }
}
