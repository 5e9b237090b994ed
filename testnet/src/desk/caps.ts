import type { DeskRisk } from 'strata-kit/desk-risk';
import type { DeskTradeRow } from '../database/tables.ts';
import { coins } from './guard.ts';
import { heldOf, type Pot } from './inventory.ts';
import type { Ledger } from './ledger.ts';
import type { Refusal } from './refusals.ts';
import type { NewTrade, Trades } from './trades.ts';
import type { Stand } from './vault.ts';

/**
 * How much the desk trades of an asset, whatever the price. A trade counts from its reservation on: while it is reserved,
 * signed, proposed or of unknown outcome, and after it has settled for an hour (value) or a day (exposure). The database
 * has all of it, so a restart forgets nothing.
 */
export interface Caps {
  /** Stable base units that are left of an asset's hour; 0 or less: none. */
  hourLeft(assetId: string): Promise<bigint>;
  /** The stands of the desk with no more free than a day's exposure of this asset leaves. */
  within(assetId: string, stands: ReadonlyMap<Pot, Stand>): Promise<ReadonlyMap<Pot, Stand>>;
  /** Why a trade is one too many; undefined when it is not. The exposure is in what `within` gives. */
  refusal(trade: Pick<NewTrade, 'asset_id' | 'amount' | 'role'>): Promise<Refusal | undefined>;
}

export function createCaps(
  trades: Pick<Trades, 'unresolved' | 'proposed'>,
  ledger: Pick<Ledger, 'moved'>,
  { hourlyValue, exposurePercent, perBlock }: DeskRisk,
): Caps {
  /** Before the ledger is asked: what settles in between counts twice rather than never. */
  async function openOf(assetId: string) {
    const [unresolved, proposed] = [await trades.unresolved(), await trades.proposed()];
    const isOf = ({ asset_id }: DeskTradeRow) => asset_id === assetId;
    return { onTheirWay: unresolved.filter(isOf), proposed: proposed.filter(isOf) };
  }

  return {
    async hourLeft(assetId) {
      const { onTheirWay, proposed } = await openOf(assetId);
      const moved = await ledger.moved(assetId);
      return hourlyValue - moved.hourlyValue - totalOf([...onTheirWay, ...proposed]);
    },
    async within(assetId, stands) {
      const { onTheirWay, proposed } = await openOf(assetId);
      const { given } = await ledger.moved(assetId);
      return new Map(
        [...stands].map(([pot, stand]) => {
          const settled = given.get(pot) ?? 0n;
          // what the pot would hold without the day's trades of this asset
          const base = stand.total + settled;
          const out = settled + heldOf(pot, [...onTheirWay, ...proposed]);
          const left = (base * BigInt(exposurePercent)) / 100n - out;
          return [pot, left < stand.free ? { ...stand, free: left, isCapped: true } : stand];
        }),
      );
    },
    async refusal({ asset_id, amount, role }) {
      const { onTheirWay, proposed } = await openOf(asset_id);
      if (onTheirWay.length >= perBlock) {
        const text = `${perBlock} trades of this asset are on their way to a block: try again in a moment`;
        return { reason: 'per_block', text };
      }
      const { hourlyValue: settled } = await ledger.moved(asset_id);
      const [value, open] = [BigInt(amount), [...onTheirWay, ...proposed]];
      if (settled + totalOf(open) + value > hourlyValue) return hourIsFull(hourlyValue);
      const promised = totalOf(open.filter((trade) => trade.role === 'propose'));
      if (role === 'propose' && (promised + value) * 2n > hourlyValue) {
        const text = `open proposals would take more than half of what the desk trades of this asset in an hour: try again when some have ended`;
        return { reason: 'open_proposals', text };
      }
      return undefined;
    },
  };
}

export function hourIsFull(hourlyValue: bigint): Refusal {
  const text = `the desk trades at most ${coins(hourlyValue)} of the stable coin an hour in this asset: try again later`;
  return { reason: 'hourly_value', text };
}

function totalOf(trades: readonly Pick<DeskTradeRow, 'amount'>[]): bigint {
  return trades.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
}
