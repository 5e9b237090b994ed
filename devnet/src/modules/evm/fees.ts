import type { ChainParameters } from '../../app/parameters.ts';
import type { EthereumTx } from './transaction.ts';

/** The base fee never moves: it is the chain's least price of gas. Fees go to the fee collector whole, nothing is burnt. */
export function baseFee({ minGasPrice }: Pick<ChainParameters, 'minGasPrice'>): bigint {
  return minGasPrice;
}

/** What a unit of gas costs this tx (EIP-1559). */
export function effectiveGasPrice(parameters: Pick<ChainParameters, 'minGasPrice'>, tx: EthereumTx): bigint {
  const price = baseFee(parameters) + tx.maxPriorityFeePerGas;
  if (price > tx.maxFeePerGas) return tx.maxFeePerGas;
  return price;
}
