/** Of the bank; the amount in the denom's smallest unit. */
export interface Coin {
  readonly denom: string;
  readonly amount: bigint;
}
