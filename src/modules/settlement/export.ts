import { columnNames } from '../../core/reading.ts';
import type { ModuleExport, QueryJson } from '../export.ts';
import { hex, integer, list, object, text, time } from '../export-json.ts';
import { SETTLEMENTS } from './tables.ts';

/** Settlements by id. */
export const settlementExport: ModuleExport = {
  chain: (exported) =>
    new Map(
      list(exported, 'settlements').map((each) => [
        integer(each, 'id'),
        {
          proposer: text(each, 'proposer'),
          counterparty: text(each, 'counterparty'),
          legs: list(each, 'legs').map(legText).join('; '),
          expiry: time(each, 'expiry'),
          status: text(each, 'status'),
          memo_hash: hex(each, 'memo_hash'),
          cancel_reason: text(each, 'cancel_reason'),
        },
      ]),
    ),
  store: async (state) =>
    new Map(
      await state.latest(SETTLEMENTS, columnNames(SETTLEMENTS), (row) => [
        String(row.id),
        {
          proposer: row.proposer,
          counterparty: row.counterparty,
          legs: (JSON.parse(row.legs) as readonly QueryJson[]).map(legText).join('; '),
          expiry: row.expiry,
          status: row.status,
          memo_hash: row.memo_hash,
          cancel_reason: row.cancel_reason,
        },
      ]),
    ),
};

function legText(leg: QueryJson): string {
  const [right, coin] = [object(leg, 'right'), object(leg, 'coin')];
  const what =
    text(right, 'asset_id') === ''
      ? `${integer(coin, 'amount')} ${text(coin, 'denom')}`
      : `${integer(right, 'units')} of ${text(right, 'asset_id')}/${integer(right, 'kind_id')}`;
  return `${text(leg, 'direction')} ${what}`;
}
