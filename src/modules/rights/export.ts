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
    await state.latest(POSITIONS, 'asset_id, kind_id, holder, units', (row) =>
      add(records, `position ${row.string()}/${row.u32()} ${row.string()}`, 'units', String(row.i256())),
    );
    await state.latest(LOCKS, 'asset_id, kind_id, holder, ref, units', (row) =>
      add(
        records,
        `lock ${row.string()}/${row.u32()} ${row.string()} ${row.string()}`,
        'units',
        String(row.i256()),
      ),
    );
    await state.latest(KIND_TOTALS, 'asset_id, kind_id, supply', (row) =>
      add(records, `supply ${row.string()}/${row.u32()}`, 'supply', String(row.i256())),
    );
    return records;
  },
};

function add(records: Map<string, RecordFields>, key: string, field: string, amount: string): void {
  if (amount !== '0') records.set(key, { [field]: amount });
}
