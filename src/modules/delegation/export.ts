import { columnNames } from '../../core/reading.ts';
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
      await state.latest(DELEGATIONS, columnNames(DELEGATIONS), (row) => [
        String(row.id),
        {
          holder: row.holder,
          asset_id: row.asset_id,
          kind_id: String(row.kind_id),
          units: String(row.units),
          delegate: row.delegate,
          until: row.until,
          purposes: row.purposes.join(),
          revocable: String(row.revocable),
          ended: row.ended,
        },
      ]),
    ),
};
