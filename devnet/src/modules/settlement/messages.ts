import type { MessageHandler } from '../../app/module.ts';
import { requireParty } from '../checks.ts';
import { fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { accept, cancel, propose, requirePending } from './keeper.ts';
import { readLegs } from './legs.ts';

export const onPropose: MessageHandler = (context, message) => {
  const { hrp } = context.parameters;
  const fields = fieldsOf(message, hrp, refuse);
  const proposer = fields.address('proposer');
  const counterparty = fields.address('counterparty');
  if (proposer === counterparty) throw refuse('invalid', 'the proposer is the counterparty');
  const legs = readLegs(fields);
  const expiryNs = fields.requiredTimeNs('expiry');
  if (expiryNs <= context.timeNs) throw refuse('invalid', 'expiry: not after the block');
  requireParty(context, refuse, counterparty);
  const id = propose(context, { proposer, counterparty, legs, expiryNs, memoHash: fields.hash('memo_hash') });
  return { id: String(id) };
};

/** By the counterparty, before the expiry. */
export const onAccept: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const counterparty = fields.address('counterparty');
  const record = requirePending(context, fields.id('id'));
  if (counterparty !== record.counterparty)
    throw refuse('unauthorized', `${counterparty} is not the counterparty of settlement ${record.id}`);
  if (context.timeNs >= record.expiryNs) throw refuse('expired', `settlement ${record.id} has expired`);
  accept(context, record);
  return {};
};

/** By either party; also after the expiry, until the block ends. */
export const onCancel: MessageHandler = (context, message) => {
  const fields = fieldsOf(message, context.parameters.hrp, refuse);
  const actor = fields.address('actor');
  const record = requirePending(context, fields.id('id'));
  if (actor !== record.proposer && actor !== record.counterparty)
    throw refuse('unauthorized', `${actor} is no party of settlement ${record.id}`);
  cancel(context, record, actor, '');
  return {};
};
