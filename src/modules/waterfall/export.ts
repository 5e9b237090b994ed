import { formatTimeNs } from 'strata-kit/time';
import type { ModuleExport, QueryJson, RecordFields } from '../export.ts';
import { integer, list, object, text, time } from '../export-json.ts';
import { LIQUIDATIONS, REDEMPTION_POOLS, TIER_PAYMENTS, WATERFALL_TIERS } from './tables.ts';

/** Tiers and what they were paid, liquidations and redemption pools. */
export const waterfallExport: ModuleExport = {
  chain: (exported) => {
    const records = new Map<string, RecordFields>();
    for (const waterfall of list(exported, 'waterfalls')) addWaterfall(records, waterfall);
    return records;
  },
  store: async (state) => {
    const tiers = await state.latest(
      WATERFALL_TIERS,
      'asset_id, tier, kind_id, cap, dropped',
      (row) =>
        [
          `tier ${row.string()}/${row.u32()}`,
          { kind_id: String(row.u32()), cap: String(row.i256()) },
          row.bool(),
        ] as const,
    );
    const paid = await state.latest(
      TIER_PAYMENTS,
      'asset_id, tier, denom, cumulative_paid',
      (row) =>
        [
          `paid ${row.string()}/${row.u32()} ${row.string()}`,
          { cumulative_paid: String(row.i256()) },
        ] as const,
    );
    const liquidations = await state.latest(
      LIQUIDATIONS,
      'asset_id, denom, initiator, pool, began_height, began_ns, closed_height',
      (row) =>
        [
          `liquidation ${row.string()}`,
          {
            denom: row.string(),
            initiator: row.string(),
            pool: String(row.i256()),
            began_height: String(row.u64()),
            began_at: formatTimeNs(row.i64big()),
            closed_height: String(row.u64()),
          },
        ] as const,
    );
    const pools = await state.latest(
      REDEMPTION_POOLS,
      'asset_id, kind_id, denom, amount, units, remaining_amount, remaining_units',
      (row) =>
        [
          `pool ${row.string()}/${row.u32()}`,
          {
            denom: row.string(),
            amount: String(row.i256()),
            units: String(row.i256()),
            remaining_amount: String(row.i256()),
            remaining_units: String(row.i256()),
          },
        ] as const,
    );
    return new Map<string, RecordFields>([
      ...tiers.filter(([, , isDropped]) => !isDropped).map(([key, fields]) => [key, fields] as const),
      ...paid,
      ...liquidations,
      ...pools,
    ]);
  },
};

function addWaterfall(records: Map<string, RecordFields>, waterfall: QueryJson): void {
  const id = text(waterfall, 'asset_id');
  for (const tier of list(waterfall, 'tiers')) {
    const fields = { kind_id: integer(tier, 'kind_id'), cap: integer(tier, 'cap') };
    records.set(`tier ${id}/${integer(tier, 'tier')}`, fields);
  }
  for (const paid of list(waterfall, 'paid')) {
    const key = `paid ${id}/${integer(paid, 'tier')} ${text(paid, 'denom')}`;
    records.set(key, { cumulative_paid: integer(paid, 'cumulative_paid') });
  }
  const liquidation = object(waterfall, 'liquidation');
  if (text(liquidation, 'denom') !== '') {
    records.set(`liquidation ${id}`, {
      denom: text(liquidation, 'denom'),
      initiator: text(liquidation, 'initiator'),
      pool: integer(liquidation, 'pool'),
      began_height: integer(liquidation, 'began_height'),
      began_at: time(liquidation, 'began_at'),
      closed_height: integer(liquidation, 'closed_height'),
    });
  }
  for (const pool of list(waterfall, 'pools')) {
    records.set(`pool ${id}/${integer(pool, 'kind_id')}`, {
      denom: text(pool, 'denom'),
      amount: integer(pool, 'amount'),
      units: integer(pool, 'units'),
      remaining_amount: integer(pool, 'remaining_amount'),
      remaining_units: integer(pool, 'remaining_units'),
    });
  }
}
