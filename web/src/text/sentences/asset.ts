import { enumText } from '../methods.ts';
import { type Acts, eventOf, type Happenings } from './act.ts';
import {
  address,
  type Fields,
  fieldsOf,
  isFields,
  kind,
  kindIdOf,
  listOf,
  ofAsset,
  textOf,
} from './fields.ts';
import { listed, type Sentence, say } from './sentence.ts';

export const ASSET: Acts = {
  'asset.v1.MsgCreateAsset': (message, events) => {
    const created = eventOf(events, 'asset.v1.EventAssetCreated');
    return {
      who: address(message, 'issuer'),
      did: 'created',
      toDo: 'create',
      what: created === undefined ? say`an asset with ${kinds(message)}` : assetWithKinds(created),
    };
  },
  'asset.v1.MsgLockIssuance': (message) => ({
    who: address(message, 'issuer'),
    did: 'ended',
    toDo: 'end',
    what: say`issuance${ofAsset(message)} for good`,
  }),
  'asset.v1.MsgSetPolicy': (message) => {
    const isTakenAway = fieldsOf(message, 'policy') === undefined;
    return {
      who: address(message, 'issuer'),
      did: isTakenAway ? 'took away' : 'set',
      toDo: isTakenAway ? 'take away' : 'set',
      what: policySet(message),
    };
  },
  'asset.v1.MsgSetRoles': (message) => ({
    who: address(message, 'issuer'),
    did: 'set',
    toDo: 'set',
    what: roles(message),
  }),
  'asset.v1.MsgUpdateKind': (message) => ({
    who: address(message, 'issuer'),
    did: 'changed',
    toDo: 'change',
    what: kindTerms(message),
  }),
  'asset.v1.MsgUpdateAsset': (message) => ({
    who: address(message, 'issuer'),
    did: 'changed',
    toDo: 'change',
    what: assetTerms(message),
  }),
};

export const ASSET_EVENTS: Happenings = {
  'asset.v1.EventAssetCreated': (event) => say`${address(event, 'issuer')} created ${assetWithKinds(event)}`,
  'asset.v1.EventIssuanceLocked': (event) => say`issuance${ofAsset(event)} ended for good`,
  'asset.v1.EventPolicySet': (event) =>
    say`${fieldsOf(event, 'policy') === undefined ? 'taken away:' : 'set:'} ${policySet(event)}`,
  'asset.v1.EventRolesSet': (event) => say`set: ${roles(event)}`,
  'asset.v1.EventKindUpdated': (event) => say`changed: ${kindTerms(event)}`,
  'asset.v1.EventAssetUpdated': (event) => say`changed: ${assetTerms(event)}`,
  'asset.v1.EventAssetStatusSet': (event) =>
    say`the asset${ofAsset(event, ' ')} is now ${enumText(textOf(event, 'status'), 'ASSET_STATUS_')}`,
};

function assetWithKinds(fields: Fields): Sentence {
  return say`the asset${ofAsset(fields, ' ')} with ${kinds(fields)}`;
}

/** `2 kinds (economic, income)` */
function kinds(fields: Fields): string {
  const classes = listOf(fields, 'kinds')
    .filter(isFields)
    .map((each) => enumText(textOf(each, 'class'), 'KIND_CLASS_'));
  return classes.length === 1
    ? `one kind (${classes[0]})`
    : `${classes.length} kinds (${classes.join(', ')})`;
}

function policySet(fields: Fields): Sentence {
  const of = kindIdOf(fields) === undefined ? '' : ` of ${kind(fields)}`;
  const policy = fieldsOf(fields, 'policy');
  if (policy === undefined) return say`the policy${of}${ofAsset(fields)}; the asset's own applies again`;
  return say`the policy${of}${ofAsset(fields)}: ${policyWords(policy)}`;
}

/** Who may give and receive, in words. */
export function policyWords(policy: Fields): Sentence {
  const mode = textOf(policy, 'mode').replace('POLICY_MODE_', '');
  if (mode === 'OPEN') return ['everyone may receive'];
  if (mode === 'CLOSED') return ['only the issuer may give'];
  const types = listOf(policy, 'required_types').map(
    (type): Sentence => [{ is: 'text', text: String(type) }],
  );
  return say`whoever receives must be attested as ${listed(types)}`;
}

function roles(fields: Fields): Sentence {
  const set = fieldsOf(fields, 'roles') ?? {};
  const named = (name: string): Sentence => (textOf(set, name) === '' ? ['nobody'] : [address(set, name)]);
  return say`the operator${ofAsset(fields)} to ${named('operator')} and its releaser to ${named('releaser')}`;
}

function kindTerms(fields: Fields): Sentence {
  const multiplier = textOf(fields, 'multiplier');
  const shown = multiplier === '1' || multiplier === '' ? '' : `, shown times ${multiplier}`;
  return say`${kind(fields)}${ofAsset(fields)}: ${may(fields.transferable)} be transferred, ${may(fields.bridgeable)} be bridged${shown}`;
}

function may(value: unknown): string {
  return value === true ? 'may' : 'may not';
}

function assetTerms(fields: Fields): Sentence {
  const denoms = listOf(fields, 'distribution_denoms').map(
    (denom): Sentence => [{ is: 'text', text: String(denom) }],
  );
  const paid = denoms.length === 0 ? [] : say`, income also in ${listed(denoms)}`;
  return say`the terms${ofAsset(fields)}: liens are ${fields.liens_allowed === true ? 'allowed' : 'not allowed'}${paid}`;
}
