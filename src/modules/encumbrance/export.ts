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
      await state.latest(
        ENCUMBRANCES,
        'id, kind, asset_id, kind_id, holder, units, beneficiary, income_to_beneficiary, holder_release_after, exercisable, expiry, evidence_hash, status',
        (row) => [
          String(row.u64big()),
          {
            kind: row.string(),
            asset_id: row.string(),
            kind_id: String(row.u32()),
            holder: row.string(),
            units: String(row.i256()),
            beneficiary: row.string(),
            income_to_beneficiary: String(row.bool()),
            holder_release_after: row.string(),
            exercisable: String(row.bool()),
            expiry: row.string(),
            evidence_hash: row.string(),
            status: row.string(),
          },
        ],
      ),
    ),
};
