/** What the desk risks at most, whatever its prices are. Amounts are stable base units (6 decimals). */
export interface DeskRisk {
  /** How far the pool's price may be from its mean of 30 minutes, in percent of the mean. */
  readonly deviationPercent: number;
  /** The least that the pool must hold of the stable coin. */
  readonly minReserve: bigint;
  /** The largest trade, in percent of the pool's stable reserve. */
  readonly poolPercent: number;
  /** Value of all trades of an asset within an hour, those included that are not settled yet. */
  readonly hourlyValue: bigint;
  /** What the desk gives away net of an asset's trades within a day, in percent of its coins and of its units of a kind. */
  readonly exposurePercent: number;
  /** Trades of an asset that are on their way to a block at a time. So no block has more. */
  readonly perBlock: number;
}

/** Of one coin. */
export const COIN = 1_000_000n;

export const DEFAULT_RISK: DeskRisk = {
  deviationPercent: 5,
  minReserve: 10_000n * COIN,
  poolPercent: 5,
  hourlyValue: 25_000n * COIN,
  exposurePercent: 20,
  perBlock: 5,
};
