import { isStrataError, StrataError } from 'strata-kit/errors';
import { type BlockSource, isRpcCaller, type RpcCaller } from './source.ts';

/** Which heights nodes have results of: a node may keep all its blocks and throw old results away. */

/** What is not there does not come: no node is asked again and again. */
const ATTEMPTS_PER_NODE = 1;
/** So near to the head results may be a moment away. */
const NEAR_HEAD_BLOCKS = 10;

/** Errors: those of the nodes, but for their refusals of this height. */
export async function hasResults(source: RpcCaller, height: number, signal?: AbortSignal): Promise<boolean> {
  try {
    await source.call('block_results', { height: String(height) }, signal, ATTEMPTS_PER_NODE);
    return true;
  } catch (error) {
    if (isStrataError(error) && (REFUSALS.has(error.code) || KEEPS_NONE.test(error.message))) return false;
    throw error;
  }
}

const REFUSALS: ReadonlySet<string> = new Set(['results_not_ready', 'height_pruned']);
/** CometBFT with discard_abci_responses. */
const KEEPS_NONE = /node is not persisting/;

/**
 * The lowest height above `without`, which has no results, and up to `latest` that has them; undefined when `latest` has
 * none either. About 20 questions for a million heights. Errors: as hasResults.
 */
export async function lowestWithResults(
  source: RpcCaller,
  without: number,
  latest: number,
  signal?: AbortSignal,
): Promise<number | undefined> {
  if (latest <= without || !(await hasResults(source, latest, signal))) return undefined;
  let low = without;
  let high = latest;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await hasResults(source, middle, signal)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * For results that are missing far below the head: height_pruned with the lowest height that has them. Any other error as
 * it is, and this one too where the nodes do not tell.
 */
export async function explainMissingResults(
  source: BlockSource,
  error: unknown,
  chainHeight: number,
  signal?: AbortSignal,
): Promise<unknown> {
  if (!isStrataError(error, 'results_not_ready') || !isRpcCaller(source)) return error;
  const { height } = error;
  if (height === undefined || height > chainHeight - NEAR_HEAD_BLOCKS) return error;
  const lowestHeight = await lowestWithResults(source, height, chainHeight - 1, signal).catch(
    () => undefined,
  );
  if (lowestHeight === undefined) return error;
  return new StrataError(
    'height_pruned',
    `the nodes have block ${height} and not its results (block_results): the lowest height with results is ${lowestHeight}`,
    { height, lowestHeight, cause: error },
  );
}
