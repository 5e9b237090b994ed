import { askGenesisStart } from './genesis.ts';
import type { ChainLog } from './log.ts';
import { type BlockSource, type ChainHead, isRpcCaller } from './source.ts';

/** Where `initial_height` stands in a genesis: before the app's state, so in its first chunk. */
const INITIAL_HEIGHT = /"initial_height"\s*:\s*"?(\d{1,15})"?/;

/**
 * The height to begin a chain with when none is wished: 1, or the genesis' initial_height where the chain began
 * higher; a capture's lowest. 1 too when the genesis cannot be asked, so that a pruned node is told as such.
 * Errors: none but `aborted`.
 */
export async function askFirstHeight(
  source: BlockSource,
  head: ChainHead,
  log: ChainLog,
  signal: AbortSignal,
): Promise<number> {
  if (head.earliestHeight <= 1) return 1;
  if (!isRpcCaller(source)) return head.earliestHeight;
  try {
    const height = INITIAL_HEIGHT.exec(await askGenesisStart(source, signal))?.[1];
    return Math.max(1, Number(height ?? 1));
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.info({ reason }, "the chain's first height cannot be asked: 1 is taken");
    return 1;
  }
}
