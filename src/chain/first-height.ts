import type { ChainLog } from './log.ts';
import type { BlockSource, ChainHead, RpcCaller } from './source.ts';

/** A genesis may be many megabytes from a slow node, and a wish for it is no reason to wait long. */
const GENESIS_TIMEOUT_MS = 20_000;

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
  const stop = AbortSignal.any([signal, AbortSignal.timeout(GENESIS_TIMEOUT_MS)]);
  try {
    // chunked: the whole is refused when it is large
    const answer = JSON.parse(await source.call('genesis_chunked', { chunk: '0' }, stop)) as {
      readonly data?: unknown;
    };
    const text = Buffer.from(String(answer.data ?? ''), 'base64').toString('latin1');
    const height = INITIAL_HEIGHT.exec(text)?.[1];
    return Math.max(1, Number(height ?? 1));
  } catch (error) {
    if (signal.aborted) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    log.info({ reason }, "the chain's first height cannot be asked: 1 is taken");
    return 1;
  }
}

export function isRpcCaller(source: BlockSource): source is BlockSource & RpcCaller {
  return 'call' in source;
}
