import type { MessageHandler } from '../../app/module.ts';
import { requireActive, requireAsset, requireKind, requireParty } from '../checks.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { create, exercise, release, requireOpen, type Terms } from './keeper.ts';
import { KINDS } from './records.ts';
import { createRole, releaseRole } from './roles.ts';

export const onCreate: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const actor = fields.address('actor');
  const terms = readTerms(fields, context.timeNs);
  const asset = requireAsset(context.state, refuse, terms.assetId);
  requireKind(refuse, asset, terms.kindId);
  requireActive(refuse, asset, 'Create');
  const role = createRole(terms.kind, asset, terms.holder, actor);
  if (terms.kind === 'KIND_LIEN' && terms.evidenceHash === '')
    throw refuse('evidenceMissing', 'a lien needs 32 bytes of evidence');
  // an escrow's units belong to those on the other side of its route
  requireParty(context, refuse, terms.holder);
  if (terms.beneficiary !== '') requireParty(context, refuse, terms.beneficiary);
  return { id: String(create(context, terms, { actor, role })) };
};

/** All that is left when no units are named. */
export const onRelease: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const actor = fields.address('actor');
  const record = requireOpen(context, fields.id('id'));
  const asset = requireAsset(context.state, refuse, record.assetId);
  const role = releaseRole(record, asset, actor, context.timeNs);
  const units = fields.text('units') === '' ? record.units : fields.positive('units');
  if (units > record.units) throw refuse('invalid', `units: ${units} of ${record.units}`);
  release(context, record, units, { actor, role });
  return {};
};

/** By the beneficiary, where exercisable, before the expiry. */
export const onExercise: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const actor = fields.address('actor');
  const record = requireOpen(context, fields.id('id'));
  if (actor !== record.beneficiary)
    throw refuse('unauthorized', `${actor} is not the beneficiary of encumbrance ${record.id}`);
  if (!record.exercisable) throw refuse('notExercisable', `encumbrance ${record.id} is not exercisable`);
  if (record.expiryNs !== null && context.timeNs >= record.expiryNs)
    throw refuse('expired', `encumbrance ${record.id} has expired`);
  exercise(context, record, { actor, role: 'beneficiary' });
  return {};
};

function readTerms(fields: Fields, timeNs: bigint): Terms {
  const kind = fields.choice('kind', KINDS);
  const terms: Terms = {
    kind,
    assetId: fields.assetId(),
    kindId: fields.small('kind_id'),
    holder: fields.address('holder'),
    units: fields.positive('units'),
    beneficiary: kind === 'KIND_LOCKUP' ? fields.text('beneficiary') : fields.address('beneficiary'),
    incomeToBeneficiary: fields.flag('income_to_beneficiary'),
    holderReleaseAfterNs: fields.timeNs('holder_release_after'),
    exercisable: fields.flag('exercisable'),
    expiryNs: fields.timeNs('expiry'),
    evidenceHash: fields.hash('evidence_hash'),
  };
  if (terms.holder === terms.beneficiary) throw refuse('invalid', 'the holder is the beneficiary');
  if (kind === 'KIND_LOCKUP' && terms.beneficiary !== '')
    throw refuse('invalid', 'beneficiary: a lockup has none');
  if (kind === 'KIND_LOCKUP' && terms.exercisable) throw refuse('invalid', 'exercisable: a lockup is not');
  if (kind !== 'KIND_PLEDGE' && terms.incomeToBeneficiary)
    throw refuse('invalid', 'income_to_beneficiary: only of a pledge');
  if (terms.expiryNs !== null && terms.expiryNs <= timeNs)
    throw refuse('invalid', 'expiry: not after the block');
  return terms;
}
