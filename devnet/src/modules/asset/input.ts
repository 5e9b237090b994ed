import type { JsonObject } from 'strata-kit/proto-json';
import { isAttestationType } from '../attestation/records.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { assetError } from './codes.ts';
import type { Kind, KindClass, Policy, PolicyMode, Roles, Term } from './records.ts';

/** What messages (and a genesis) say of an asset, checked; refused as asset/2 unless said otherwise. */

const KINDS_MAX = 128;
const DECIMALS_MAX = 18;
const DENOMS_MAX = 32;
const REQUIRED_TYPES_MAX = 16;
const ATTESTERS_MAX = 64;

const MODES: readonly PolicyMode[] = ['POLICY_MODE_OPEN', 'POLICY_MODE_ATTESTED', 'POLICY_MODE_CLOSED'];
const CLASSES: readonly KindClass[] = [
  'KIND_CLASS_ECONOMIC',
  'KIND_CLASS_INCOME',
  'KIND_CLASS_VOTE',
  'KIND_CLASS_REDEMPTION',
];

export function assetFields(message: JsonObject, hrp: string): Fields {
  return fieldsOf(message, hrp, assetError);
}

/** ATTESTED needs a type and an attester, or nobody could ever receive; the other modes take neither. */
export function policyOf(fields: Fields, hrp: string): Policy {
  const mode = fields.choice('mode', MODES);
  const requiredTypes = texts(fields, 'required_types', REQUIRED_TYPES_MAX);
  const attesters = texts(fields, 'attesters', ATTESTERS_MAX);
  const wrongType = requiredTypes.find((type) => !isAttestationType(type));
  if (wrongType !== undefined) throw invalid(`required_types: ${wrongType} is no attestation type`);
  for (const address of attesters) assetFields({ attesters: address }, hrp).address('attesters');
  const attested = mode === 'POLICY_MODE_ATTESTED';
  if (
    attested
      ? requiredTypes.length === 0 || attesters.length === 0
      : requiredTypes.length + attesters.length > 0
  )
    throw invalid(
      'required_types and attesters go with POLICY_MODE_ATTESTED, which needs at least one of each',
    );
  return { mode, requiredTypes, attesters };
}

/** Each an address or empty. */
export function rolesOf(fields: Fields | undefined): Roles {
  const role = (name: string) =>
    fields === undefined || fields.text(name) === '' ? '' : fields.address(name);
  return { operator: role('operator'), releaser: role('releaser') };
}

export function denomsOf(fields: Fields, hrp: string): readonly string[] {
  const denoms = texts(fields, 'distribution_denoms', DENOMS_MAX);
  for (const denom of denoms) assetFields({ distribution_denoms: denom }, hrp).denom('distribution_denoms');
  return denoms;
}

/** Numbered by their places. Unequal decimals of bundle kinds: asset/5. */
export function kindsOf(fields: Fields): readonly Kind[] {
  const list = fields.messages('kinds');
  if (list.length === 0 || list.length > KINDS_MAX)
    throw invalid(`kinds: ${list.length}, not 1 to ${KINDS_MAX}`);
  const kinds = list.map(kindOf);
  const decimals = new Set(kinds.filter(({ bundle }) => bundle).map((kind) => kind.decimals));
  if (decimals.size > 1)
    throw assetError('unequalDecimals', `bundle kinds have different decimals: ${[...decimals].join(', ')}`);
  return kinds;
}

export function multiplierOf(fields: Fields): bigint {
  const multiplier = fields.id('multiplier');
  if (multiplier === 0n) throw invalid('multiplier: zero, 1 is none');
  return multiplier;
}

function kindOf(fields: Fields, kindId: number): Kind {
  const decimals = fields.small('decimals');
  if (decimals > DECIMALS_MAX) throw invalid(`decimals: ${decimals}, more than ${DECIMALS_MAX}`);
  return {
    kindId,
    class: fields.choice('class', CLASSES),
    decimals,
    bundle: fields.flag('bundle'),
    transferable: fields.flag('transferable'),
    term: termOf(fields.inner('term')),
    multiplier: multiplierOf(fields),
    bridgeable: fields.flag('bridgeable'),
    policyOverride: null,
  };
}

function termOf(fields: Fields | undefined): Term | null {
  if (fields === undefined) return null;
  const startsAtNs = fields.timeNs('starts_at');
  const endsAtNs = fields.timeNs('ends_at');
  if (startsAtNs !== null && endsAtNs !== null && startsAtNs >= endsAtNs)
    throw invalid('term: ends_at is not after starts_at');
  return { startsAtNs, endsAtNs };
}

/** Different texts, at most `max`. */
function texts(fields: Fields, name: string, max: number): readonly string[] {
  const list = fields.texts(name);
  if (list.length > max) throw invalid(`${name}: ${list.length}, more than ${max}`);
  if (new Set(list).size !== list.length) throw invalid(`${name}: one stands twice`);
  return list;
}

function invalid(message: string) {
  return assetError('invalid', message);
}
