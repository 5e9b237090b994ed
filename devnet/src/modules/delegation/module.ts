import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Context, Module, QueryHandler } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { lockProblems } from '../locks.ts';
import { refuse } from './codes.ts';
import { expireDue, getDelegation, restore } from './keeper.ts';
import { onDelegate, onReturn, onRevoke, readPurposes } from './messages.ts';
import { delegationJson, delegations, END_REASONS, ids, lockRef } from './records.ts';

/** Units lent to a delegate for voting or in the name of income, until they end. */
export const delegationModule: Module = {
  name: 'delegation',
  messages: {
    '/<ns>.delegation.v1.MsgDelegate': onDelegate,
    '/<ns>.delegation.v1.MsgRevoke': onRevoke,
    '/<ns>.delegation.v1.MsgReturn': onReturn,
  },
  queries: {
    '/<ns>.delegation.v1.Query/Delegation': queryDelegation(),
    '/<ns>.delegation.v1.Query/Export': (reader) => ({
      delegations: [...reader.entries(delegations)].map(([, record]) => delegationJson(record)),
      next_id: String(ids.next(reader)),
    }),
  },
  endBlock: expireDue,
  initGenesis,
  invariants,
};

function queryDelegation(): QueryHandler {
  return (reader, request, { parameters }) => {
    const id = fieldsOf(request, parameters.hrp, refuse).id('id');
    const record = getDelegation(reader, id);
    if (record === undefined) throw sdkError('notFound', `delegation ${id} not found`);
    return { delegation: delegationJson(record) };
  };
}

/** Takes what Export answers. Locks come with the rights' own state. */
function initGenesis(context: Context, genesis: JsonObject): void {
  const fields = fieldsOf(genesis, context.parameters.hrp, refuse);
  for (const record of fields.messages('delegations')) readRecord(context, record);
  if (fields.text('next_id') !== '') ids.set(context.state, fields.id('next_id'));
}

function readRecord(context: Context, record: Fields): void {
  restore(context, {
    id: record.id('id'),
    holder: record.address('holder'),
    assetId: record.assetId(),
    kindId: record.small('kind_id'),
    units: record.positive('units'),
    delegate: record.address('delegate'),
    untilNs: record.requiredTimeNs('until'),
    purposes: readPurposes(record),
    revocable: record.flag('revocable'),
    ended: record.choice('ended', END_REASONS),
  });
}

/** Locks are those of active delegations. */
function invariants(reader: Reader): string[] {
  const active = [...reader.entries(delegations)]
    .map(([, record]) => record)
    .filter(({ ended }) => ended === 'END_REASON_UNSPECIFIED');
  return lockProblems(
    reader,
    'delegation',
    active.map((record) => ({ ...record, ref: lockRef(record.id) })),
  );
}
