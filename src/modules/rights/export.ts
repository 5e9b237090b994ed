import type { ModuleExport, RecordFields } from '../export.ts';
import { integer, list, text } from '../export-json.ts';
import { KIND_TOTALS, LOCKS, POSITIONS } from './tables.ts';

/** Positions with units, locks, and supplies; what is 0 is none on either side. */
export const rightsExport: ModuleExport = {
  chain: (exported) => {
    const records = new Map<string, RecordFields>();
    for (const position of list(exported, 'positions')) {
      const key = `${text(position, 'asset_id')}/${integer(position, 'kind_id')} ${text(position, 'holder')}`;
      add(records, `position ${key}`, 'units', integer(position, 'units'));
      for (const lock of list(position, 'locks')) {
        add(records, `lock ${key} ${text(lock, 'ref')}`, 'units', integer(lock, 'units'));
      }
    }
    for (const supply of list(exported, 'supplies')) {
      const key = `supply ${text(supply, 'asset_id')}/${integer(supply, 'kind_id')}`;
      add(records, key, 'supply', integer(supply, 'supply'));
    }
    return records;
  },
  store: async (state) => {
    const records = new Map<string, RecordFields>();
    await state.latest(POSITIONS, ['asset_id', 'kind_id', 'holder', 'units'], (row) =>
      add(records, `position ${row.asset_id}/${row.kind_id} ${row.holder}`, 'units', String(row.units)),
    );
    await state.latest(LOCKS, ['asset_id', 'kind_id', 'holder', 'ref', 'units'], (row) =>
      add(
        records,
        `lock ${row.asset_id}/${row.kind_id} ${row.holder} ${row.ref}`,
        'units',
        String(row.units),
      ),
    );
    await state.latest(KIND_TOTALS, ['asset_id', 'kind_id', 'supply'], (row) =>
      add(records, `supply ${row.asset_id}/${row.kind_id}`, 'supply', String(row.supply)),
    );
    return records;
  },
};

function add(records: Map<string, RecordFields>, key: string, field: string, amount: string): void {
  if (amount !== '0') records.set(key, { [field]: amount });
}
