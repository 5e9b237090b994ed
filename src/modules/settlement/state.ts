/** What modules that read `settlement` see of it while they derive. */
export interface SettlementState {
  /** One that was settled in the block at hand; undefined for any other. */
  settledNow(id: bigint): Settled | undefined;
}

export interface Settled {
  readonly proposer: string;
  readonly counterparty: string;
  /** Proto-JSON text of the list of legs, as it was proposed. */
  readonly legs: string;
}
