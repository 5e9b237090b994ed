import type { QueryAnswer } from '../../comet/types.ts';
import type { Caller } from '../../simulation/simulations.ts';
import { SimulationStop } from '../../simulation/stop.ts';
import { busy, internalError } from '../errors.ts';
import { base64OrNull, quote } from '../go-json.ts';
import type { Result } from '../method.ts';
import type { Node } from '../node.ts';
import type { Params } from '../params.ts';

/** Asks the app at a height; 0 is the latest. What the app refuses is an answer with a code. Errors: RpcError. */
export async function abciQuery({ chain }: Node, params: Params, caller: Caller): Promise<Result> {
  const height = params.int('height') ?? 0n;
  if (height < 0n) throw internalError('height must be non-negative');
  // beyond 2^53 every height is above the head
  const asked = Number(height < 1n << 53n ? height : 1n << 53n);
  const answer = await stoppable(chain.query(params.text('path'), params.bytes('data'), asked, caller));
  return `{"response":{"code":${answer.code},"log":${quote(answer.log)},"info":"","index":"0","key":null,"value":${base64OrNull(answer.value)},"proofOps":null,"height":"${answer.height}","codespace":${quote(answer.codespace)}}}`;
}

/** Errors: RpcError where a simulation has no result. */
async function stoppable(answer: Promise<QueryAnswer>): Promise<QueryAnswer> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof SimulationStop)) throw error;
    const isBusy = error.reason === 'busy' || error.reason === 'no_thread';
    throw isBusy ? busy(error.message) : internalError(error.message);
  }
}
