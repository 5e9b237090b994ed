import { bytesToHex } from 'strata-kit/bytes';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { splitRange } from '../chain/envelope.ts';
import { type BlockSource, isRpcCaller } from '../chain/source.ts';
import { RowReader } from '../core/rowbinary.ts';
import { readBlock } from '../decode/block.ts';
import { readCheckpoint } from '../store/checkpoints.ts';
import { uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { DisprovedResults } from './block-verifier.ts';

/** Where a store and nodes agree on the chain, by the hashes of their blocks. */
export interface CommonHeight {
  /** The highest height that both have. */
  readonly comparedHeight: number;
  /** Where the store ends. */
  readonly indexedHeight: number;
  /** The highest at which both have the same block, comparedHeight where all is well; undefined where they share none. */
  readonly commonHeight: number | undefined;
}

const ASK_MS = 30_000;

/**
 * Compares the newest block that both have, and looks for the last common one by bisection where it differs. Undefined
 * where they have no height in common. Errors: those of the store and the source.
 */
export async function findCommonHeight(
  store: Store,
  source: BlockSource,
  signal: AbortSignal,
): Promise<CommonHeight | undefined> {
  const checkpoint = await readCheckpoint(store);
  if (checkpoint === undefined) return undefined;
  const { earliestHeight, latestHeight } = await source.head(signal);
  const lowest = Math.max(checkpoint.firstHeight, earliestHeight);
  const comparedHeight = Math.min(checkpoint.height, latestHeight);
  if (lowest > comparedHeight) return undefined;
  const isSame = async (height: number): Promise<boolean> =>
    (await storedHash(store, height)) === (await nodeHash(source, height, signal));
  const indexedHeight = checkpoint.height;
  return { comparedHeight, indexedHeight, commonHeight: await lastWhere(isSame, lowest, comparedHeight) };
}

/** The highest height with the property, which holds up to some height and not above it; undefined where it holds nowhere. */
export async function lastWhere(
  holds: (height: number) => Promise<boolean>,
  lowest: number,
  highest: number,
): Promise<number | undefined> {
  if (await holds(highest)) return highest;
  if (lowest === highest || !(await holds(lowest))) return undefined;
  let [below, above] = [lowest, highest];
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (await holds(middle)) below = middle;
    else above = middle;
  }
  return below;
}

/** A parent_mismatch that also names the last common height and what to do; any other error as it is. */
export async function explainMismatch(
  error: unknown,
  store: Store,
  source: BlockSource,
  signal: AbortSignal,
): Promise<unknown> {
  if (!isStrataError(error, 'parent_mismatch')) return error;
  let advice: string;
  try {
    const found = await findCommonHeight(
      store,
      source,
      AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
    );
    if (found === undefined) return error;
    advice = adviceFor(error, found);
  } catch (failure) {
    if (!isStrataError(failure)) throw failure;
    advice = `The last common height could not be asked for: ${failure.message}`;
  }
  const { height, cause } = error;
  return new StrataError('parent_mismatch', `${error.message}. ${advice}`, {
    ...(height === undefined ? {} : { height }),
    cause,
  });
}

function adviceFor(error: StrataError, { comparedHeight, commonHeight }: CommonHeight): string {
  if (commonHeight === undefined) {
    return 'The store and the nodes have no block in common: they hold different chains';
  }
  const common = `The last height at which store and nodes have the same block is ${commonHeight}`;
  if (commonHeight < comparedHeight) {
    return `${common}: if the nodes are right, strata rewind --to ${commonHeight} takes the rest out; if not, give other nodes to --rpc`;
  }
  if (error instanceof DisprovedResults) {
    return `${common}: strata rewind --to ${error.disprovedHeight - 1} takes the block with the wrong results out`;
  }
  return `${common}, which is the newest that both have: the nodes disagree about what follows, give other nodes to --rpc`;
}

async function storedHash(store: Store, height: number): Promise<string> {
  const rows = new RowReader(
    await store.query(`SELECT hash FROM blocks WHERE height = ${uintLiteral(height)}`),
  );
  return rows.done ? '' : bytesToHex(rows.fixed(32)).toUpperCase();
}

/** Of a node the block alone, as it may no longer have its results. */
async function nodeHash(source: BlockSource, height: number, signal: AbortSignal): Promise<string> {
  if (isRpcCaller(source)) {
    const block = await source.call('block', { height: String(height) }, signal);
    return readBlock({ height, block, results: new Uint8Array(0) }).hash;
  }
  const [raw] = splitRange(await source.fetch(height, height, signal));
  if (raw === undefined) throw new StrataError('internal', 'a range without blocks');
  return readBlock(raw).hash;
}
