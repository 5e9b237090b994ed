import type { ModuleExport } from '../export.ts';
import { bool, integer, list, text, texts, time } from '../export-json.ts';
import { DELEGATIONS } from './tables.ts';

/** Delegations by id. */
export const delegationExport: ModuleExport = {
  chain: (exported) =>
    new Map(
      list(exported, 'delegations').map((each) => [
        integer(each, 'id'),
        {
          holder: text(each, 'holder'),
          asset_id: text(each, 'asset_id'),
          kind_id: integer(each, 'kind_id'),
          units: integer(each, 'units'),
          delegate: text(each, 'delegate'),
          until: time(each, 'until'),
          purposes: texts(each, 'purposes')
            .map((purpose) => purpose.replace('PURPOSE_', ''))
            .join(),
          revocable: bool(each, 'revocable'),
          ended: text(each, 'ended').replace('END_REASON_UNSPECIFIED', ''),
        },
      ]),
    ),
  store: async (state) =>
    new Map(
      await state.latest(
        DELEGATIONS,
        'id, holder, asset_id, kind_id, units, delegate, until, purposes, revocable, ended',
        (row) => [
          String(row.u64big()),
          {
            holder: row.string(),
            asset_id: row.string(),
            kind_id: String(row.u32()),
            units: String(row.i256()),
            delegate: row.string(),
            until: row.string(),
            purposes: row.stringArray().join(),
            revocable: String(row.bool()),
            ended: row.string(),
          },
        ],
      ),
    ),
};
