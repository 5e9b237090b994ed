import { columnNames } from '../../core/reading.ts';
import type { ModuleExport } from '../export.ts';
import { bool, hex, integer, list, text, time } from '../export-json.ts';
import { ENCUMBRANCES } from './tables.ts';

/** Encumbrances by id. */
export const encumbranceExport: ModuleExport = {
  chain: (exported) =>
    new Map(
      list(exported, 'encumbrances').map((each) => [
        integer(each, 'id'),
        {
          kind: text(each, 'kind').replace('KIND_', '').toLowerCase(),
          asset_id: text(each, 'asset_id'),
          kind_id: integer(each, 'kind_id'),
          holder: text(each, 'holder'),
          units: integer(each, 'units'),
          beneficiary: text(each, 'beneficiary'),
          income_to_beneficiary: bool(each, 'income_to_beneficiary'),
          holder_release_after: time(each, 'holder_release_after'),
          exercisable: bool(each, 'exercisable'),
          expiry: time(each, 'expiry'),
          evidence_hash: hex(each, 'evidence_hash'),
          status: text(each, 'status').replace('STATUS_', '').toLowerCase(),
        },
      ]),
    ),
  store: async (state) =>
    new Map(
      await state.latest(ENCUMBRANCES, columnNames(ENCUMBRANCES), (row) => [
        String(row.id),
        {
          kind: row.kind,
          asset_id: row.asset_id,
          kind_id: String(row.kind_id),
          holder: row.holder,
          units: String(row.units),
          beneficiary: row.beneficiary,
          income_to_beneficiary: String(row.income_to_beneficiary),
          holder_release_after: row.holder_release_after,
          exercisable: String(row.exercisable),
          expiry: row.expiry,
          evidence_hash: row.evidence_hash,
          status: row.status,
        },
      ]),
    ),
};
