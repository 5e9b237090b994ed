import type { Caller } from 'strata-kit/http/caller';
import type { Json } from 'strata-kit/proto-json';
import { baseFee } from '../modules/evm/fees.ts';
import { BLOCK_GAS_LIMIT } from '../modules/evm/machine.ts';
import { invalidParams } from './errors.ts';
import { quantity } from './hex.ts';
import { type EthereumNode, heightOf } from './node.ts';
import { quantityParam } from './params.ts';

const MAX_BLOCKS = 1_024;
const MAX_PERCENTILES = 100;

/** eth_feeHistory: the base fee never moves and no tip is needed, so only how full blocks were differs. */
export async function feeHistory(
  node: EthereumNode,
  [count, newest, percentiles]: readonly Json[],
  { client, signal }: Caller,
): Promise<Json> {
  const { chain, parameters } = node;
  const asked = typeof count === 'number' ? BigInt(count) : quantityParam(count, 'blockCount');
  const rewards = percentiles ?? [];
  if (!Array.isArray(rewards) || rewards.length > MAX_PERCENTILES)
    throw invalidParams('invalid reward percentile');
  const last = Math.min(heightOf(node, newest), chain.latestHeight());
  const wanted = asked > BigInt(MAX_BLOCKS) ? MAX_BLOCKS : Number(asked);
  const first = Math.max(last - wanted + 1, chain.earliestHeight());
  const heights = Array.from({ length: Math.max(last - first + 1, 0) }, (_, i) => first + i);
  const fee = quantity(baseFee(parameters));
  const used: number[] = [];
  for (const height of heights) {
    await node.lane.step(client);
    if (signal?.aborted === true) break;
    const view = await node.blocks.at(height, client);
    const gas = view?.txs.at(-1)?.cumulativeGasUsed ?? 0n;
    used.push(Number(gas) / Number(BLOCK_GAS_LIMIT));
  }
  return {
    oldestBlock: quantity(first),
    baseFeePerGas: [...heights, 0].map(() => fee),
    gasUsedRatio: used,
    ...(rewards.length === 0 ? {} : { reward: heights.map(() => rewards.map(() => '0x0')) }),
  };
}
