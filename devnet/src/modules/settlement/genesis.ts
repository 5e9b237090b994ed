import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { restore } from './keeper.ts';
import { readLeg } from './legs.ts';
import { ids, STATUSES } from './records.ts';

/** Takes what Export answers. Locks and coins come with the rights' and the bank's own state. */
export function initGenesis(context: Context, genesis: JsonObject): void {
  const { hrp } = context.parameters;
  const fields = fieldsOf(genesis, hrp, refuse);
  for (const record of fields.messages('settlements')) readSettlement(context, record);
  if (fields.text('next_id') !== '') ids.set(context.state, fields.id('next_id'));
}

function readSettlement(context: Context, record: Fields): void {
  restore(context, {
    id: record.id('id'),
    proposer: record.address('proposer'),
    counterparty: record.address('counterparty'),
    legs: record.messages('legs').map(readLeg),
    expiryNs: record.requiredTimeNs('expiry'),
    status: record.choice('status', STATUSES),
    memoHash: record.hash('memo_hash'),
    cancelReason: record.text('cancel_reason'),
  });
}
