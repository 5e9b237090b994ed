import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Context, Module, QueryHandler } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { lockProblems } from '../locks.ts';
import { refuse } from './codes.ts';
import { expireDue, getEncumbrance, restore } from './keeper.ts';
import { onCreate, onExercise, onRelease } from './messages.ts';
import { encumbranceJson, encumbrances, ids, KINDS, lockRef, STATUSES } from './records.ts';

/** Pledges, liens and lockups. */
export const encumbranceModule: Module = {
  name: 'encumbrance',
  messages: {
    '/<ns>.encumbrance.v1.MsgCreate': onCreate,
    '/<ns>.encumbrance.v1.MsgRelease': onRelease,
    '/<ns>.encumbrance.v1.MsgExercise': onExercise,
  },
  queries: {
    '/<ns>.encumbrance.v1.Query/Encumbrance': queryEncumbrance(),
    '/<ns>.encumbrance.v1.Query/Export': (reader) => ({
      encumbrances: [...reader.entries(encumbrances)].map(([, record]) => encumbranceJson(record)),
      next_id: String(ids.next(reader)),
    }),
  },
  endBlock: expireDue,
  initGenesis,
  invariants,
};

function queryEncumbrance(): QueryHandler {
  return (reader, request, { parameters }) => {
    const id = fieldsOf(request, parameters.hrp, refuse).id('id');
    const record = getEncumbrance(reader, id);
    if (record === undefined) throw sdkError('notFound', `encumbrance ${id} not found`);
    return { encumbrance: encumbranceJson(record) };
  };
}

/** Takes what Export answers. Locks and income routes come with the rights' and the payouts' own state. */
function initGenesis(context: Context, genesis: JsonObject): void {
  const fields = fieldsOf(genesis, context.parameters.hrp, refuse);
  for (const record of fields.messages('encumbrances')) readRecord(context, record);
  if (fields.text('next_id') !== '') ids.set(context.state, fields.id('next_id'));
}

function readRecord(context: Context, record: Fields): void {
  restore(context, {
    id: record.id('id'),
    kind: record.choice('kind', KINDS),
    assetId: record.assetId(),
    kindId: record.small('kind_id'),
    holder: record.address('holder'),
    units: record.amount('units'),
    beneficiary: record.text('beneficiary'),
    incomeToBeneficiary: record.flag('income_to_beneficiary'),
    holderReleaseAfterNs: record.timeNs('holder_release_after'),
    exercisable: record.flag('exercisable'),
    expiryNs: record.timeNs('expiry'),
    evidenceHash: record.hash('evidence_hash'),
    status: record.choice('status', STATUSES),
  });
}

/** Locks are those of active encumbrances. */
function invariants(reader: Reader): string[] {
  const active = [...reader.entries(encumbrances)]
    .map(([, record]) => record)
    .filter(({ status }) => status === 'STATUS_ACTIVE');
  return lockProblems(
    reader,
    'encumbrance',
    active.map((record) => ({ ...record, ref: lockRef(record.id) })),
  );
}
