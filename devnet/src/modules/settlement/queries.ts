import { sdkError } from 'strata-kit/chain-error';
import type { QueryHandler } from '../../app/module.ts';
import { fieldsOf } from '../fields.ts';
import { refuse } from './codes.ts';
import { getSettlement } from './keeper.ts';
import { ids, settlementJson, settlements } from './records.ts';

export const querySettlement: QueryHandler = (reader, request, { parameters }) => {
  const id = fieldsOf(request, parameters.hrp, refuse).id('id');
  const record = getSettlement(reader, id);
  if (record === undefined) throw sdkError('notFound', `settlement ${id} not found`);
  return { settlement: settlementJson(record) };
};

export const queryExport: QueryHandler = (reader) => ({
  settlements: [...reader.entries(settlements)].map(([, record]) => settlementJson(record)),
  next_id: String(ids.next(reader)),
});
