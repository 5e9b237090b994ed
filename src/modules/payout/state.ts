/** What modules that read `payout` see while they derive. Everything is as of the event at hand. */
export interface PayoutState {
  /** Undefined before the first distribution. */
  getAccrual(assetId: string, kindId: number, denom: string): Accrual | undefined;
  /** What the EventEscrowIncomeSwept at hand paid, as derived; 0 where there was nothing to pay. */
  sweptNow(): bigint;
}

/** Income of a kind in a denom (modules.md rules 3 and 5). */
export interface Accrual {
  readonly assetId: string;
  readonly kindId: number;
  readonly denom: string;
  /** Per unit since the beginning, × 10^18. */
  readonly index: bigint;
  readonly carryScaled: bigint;
  readonly totalDistributed: bigint;
  readonly totalPaid: bigint;
  readonly distributions: number;
}
