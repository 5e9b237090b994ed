import { statusWord } from '../assets.ts';
import { enumText } from '../methods.ts';
import { type Acts, eventOf, type Happenings } from './act.ts';
import {
  address,
  denom,
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
    const who = address(message, 'issuer');
    const policy = fieldsOf(message, 'policy');
    if (policy !== undefined)
      return { who, did: 'set', toDo: 'set', what: say`${policyOf(message)}: ${policyWords(policy)}` };
    return { who, did: 'took away', toDo: 'take away', what: policyOf(message), after: fallsBack(message) };
  },
  'asset.v1.MsgSetRoles': (message) => ({
    who: address(message, 'issuer'),
    did: 'set',
    toDo: 'set',
    what: roles(message, 'to '),
  }),
  'asset.v1.MsgUpdateKind': (message) => ({
    who: address(message, 'issuer'),
    did: 'set',
    toDo: 'set',
    what: say`the rules of ${kind(message)}${ofAsset(message)}: ${kindTerms(message)}`,
  }),
  'asset.v1.MsgUpdateAsset': (message) => ({
    who: address(message, 'issuer'),
    did: 'set',
    toDo: 'set',
    what: say`the terms${ofAsset(message)}: ${assetTerms(message)}`,
  }),
};

export const ASSET_EVENTS: Happenings = {
  'asset.v1.EventAssetCreated': (event) => say`${address(event, 'issuer')} created ${assetWithKinds(event)}`,
  'asset.v1.EventIssuanceLocked': (event) => say`issuance${ofAsset(event)} ended for good`,
  'asset.v1.EventPolicySet': (event) => {
    const policy = fieldsOf(event, 'policy');
    return policy === undefined
      ? say`${policyOf(event)} was taken away${fallsBack(event)}`
      : say`${policyOf(event)} is now: ${policyWords(policy)}`;
  },
  'asset.v1.EventRolesSet': (event) => roles(event, 'is now '),
  'asset.v1.EventKindUpdated': (event) =>
    say`the rules of ${kind(event)}${ofAsset(event)} are now: ${kindTerms(event)}`,
  'asset.v1.EventAssetUpdated': (event) => say`the terms${ofAsset(event)} are now: ${assetTerms(event)}`,
  'asset.v1.EventAssetStatusSet': (event) =>
    say`the asset${ofAsset(event, ' ')} is now ${statusWord(textOf(event, 'status')) ?? 'in a state that is not known here'}`,
};

function assetWithKinds(fields: Fields): Sentence {
  return say`the asset${ofAsset(fields, ' ')} with ${kinds(fields)}`;
}

/** `2 kinds of rights (economic, income)` */
function kinds(fields: Fields): string {
  const classes = listOf(fields, 'kinds')
    .filter(isFields)
    .map((each) => enumText(textOf(each, 'class'), 'KIND_CLASS_'));
  return classes.length === 1
    ? `one kind of rights (${classes[0]})`
    : `${classes.length} kinds of rights (${classes.join(', ')})`;
}

/** Of a kind, or of the whole asset where none is named. */
function policyOf(fields: Fields): Sentence {
  const of = kindIdOf(fields) === undefined ? [] : say` of ${kind(fields)}`;
  return say`the policy${of}${ofAsset(fields)}`;
}

function fallsBack(fields: Fields): string {
  return kindIdOf(fields) === undefined ? '' : "; the asset's own applies again";
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

function roles(fields: Fields, verb: 'to ' | 'is now '): Sentence {
  const set = fieldsOf(fields, 'roles') ?? {};
  const named = (name: string): Sentence => (textOf(set, name) === '' ? ['nobody'] : [address(set, name)]);
  return say`the operator${ofAsset(fields)} ${verb}${named('operator')} and the releaser ${verb}${named('releaser')}`;
}

function kindTerms(fields: Fields): Sentence {
  const multiplier = textOf(fields, 'multiplier');
  const shown = multiplier === '1' || multiplier === '' ? '' : `, amounts shown times ${multiplier}`;
  return [`transfers ${allowed(fields.transferable)}, bridging ${allowed(fields.bridgeable)}${shown}`];
}

function allowed(value: unknown): string {
  return value === true ? 'allowed' : 'not allowed';
}

function assetTerms(fields: Fields): Sentence {
  const denoms = listOf(fields, 'distribution_denoms').map((each): Sentence => [denom(each)]);
  const paid = denoms.length === 0 ? [] : say`, income paid also in ${listed(denoms)}`;
  return say`liens ${allowed(fields.liens_allowed)}${paid}`;
}
