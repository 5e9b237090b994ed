import { formatTimeNs } from 'strata-kit/time';
import { columnNames } from '../../core/reading.ts';
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
      ['asset_id', 'tier', 'kind_id', 'cap', 'dropped'],
      (row) =>
        [
          `tier ${row.asset_id}/${row.tier}`,
          { kind_id: String(row.kind_id), cap: String(row.cap) },
          row.dropped,
        ] as const,
    );
    const paid = await state.latest(
      TIER_PAYMENTS,
      ['asset_id', 'tier', 'denom', 'cumulative_paid'],
      (row) =>
        [
          `paid ${row.asset_id}/${row.tier} ${row.denom}`,
          { cumulative_paid: String(row.cumulative_paid) },
        ] as const,
    );
    const liquidations = await state.latest(
      LIQUIDATIONS,
      columnNames(LIQUIDATIONS),
      (row) =>
        [
          `liquidation ${row.asset_id}`,
          {
            denom: row.denom,
            initiator: row.initiator,
            pool: String(row.pool),
            began_height: String(row.began_height),
            began_at: formatTimeNs(row.began_ns),
            closed_height: String(row.closed_height),
          },
        ] as const,
    );
    const pools = await state.latest(
      REDEMPTION_POOLS,
      columnNames(REDEMPTION_POOLS),
      (row) =>
        [
          `pool ${row.asset_id}/${row.kind_id}`,
          {
            denom: row.denom,
            amount: String(row.amount),
            units: String(row.units),
            remaining_amount: String(row.remaining_amount),
            remaining_units: String(row.remaining_units),
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
