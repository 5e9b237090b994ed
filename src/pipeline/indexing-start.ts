import { StrataError } from 'strata-kit/errors';
import { askChainFacts } from '../chain/facts.ts';
import { askFirstHeight } from '../chain/first-height.ts';
import { checkSource } from '../chain/preflight.ts';
import { type BlockSource, type ChainHead, isRpcCaller } from '../chain/source.ts';
import type { ParameterFacts } from '../core/parameter-facts.ts';
import type { DecodeContext } from '../decode/range.ts';
import { readFacts } from '../store/facts.ts';
import { checkChain, isSameContext, settleContext } from './chain-context.ts';
import { firstHead } from './first-head.ts';
import type { IndexingOptions } from './indexing-options.ts';
import type { IndexingStore } from './indexing-store.ts';
import type { StorePosition } from './messages.ts';
import { openRawCache, type RawCache } from './raw-cache.ts';

/** Where a run begins: source, store and configuration speak of one chain, and the source still has its next block. */
export interface IndexingStart {
  /** Of the options, or one that keeps the bytes of its blocks. */
  readonly source: BlockSource;
  readonly head: ChainHead;
  readonly rawCache: RawCache | undefined;
  readonly startHeight: number;
  /** What the store knew of its chain. */
  readonly facts: ParameterFacts;
  readonly context: DecodeContext;
  /**
   * Asks the chain again what decoding depends on, as of a height: undefined where nothing is new.
   * Errors: those of settleContext.
   */
  refreshContext(height: number, needsEvmDenom: boolean): Promise<DecodeContext | undefined>;
}

/**
 * Errors: chain_id_mismatch, height_pruned, store_other_chain, config_invalid, those of the store and the source.
 * Nothing is left open then.
 */
export async function settleStart(
  options: IndexingOptions,
  store: IndexingStore,
  askedHead: ChainHead,
): Promise<IndexingStart> {
  const { log, clock, signal } = options;
  const { position } = store.writer.opened;
  const facts = await readFacts(store.facts);
  let { source } = options;
  let head = await headOfStore(options, facts, askedHead);
  checkChain(facts, head.chainId);
  let rawCache: RawCache | undefined;
  try {
    if (options.keepRaw !== undefined) {
      if (!isRpcCaller(source)) throw new StrataError('config_invalid', '--keep-raw keeps what nodes answer');
      rawCache = await openRawCache({ folder: options.keepRaw, source, head, position, clock, log, signal });
      ({ source, head } = rawCache);
    }
    const startHeight = continueAt(position, options) ?? (await askFirstHeight(source, head, log, signal));
    checkSource(head, { startHeight });
    rawCache?.checkBegin(startHeight);
    const settle = contextSettler(options, store, source, head);
    // the store keeps what is given: later it is read from there
    let current = await settle(startHeight, position !== undefined, false, options.givenDescriptors);
    const refreshContext = async (
      height: number,
      needsEvmDenom: boolean,
    ): Promise<DecodeContext | undefined> => {
      const newer = await settle(height, true, needsEvmDenom);
      if (isSameContext(current, newer)) return undefined;
      current = newer;
      return newer;
    };
    return { source, head, rawCache, startHeight, facts, context: current, refreshContext };
  } catch (error) {
    await rawCache?.close();
    throw error;
  }
}

/** Asks for the head again where most nodes were of another chain than the store. */
async function headOfStore(
  options: IndexingOptions,
  facts: ParameterFacts,
  asked: ChainHead,
): Promise<ChainHead> {
  const stored = facts.get('chain_id');
  if (stored === undefined || stored === asked.chainId) return asked;
  return options.source.expectChain?.(stored) === true ? firstHead(options) : asked;
}

type SettleContext = (
  height: number,
  hasBlocks: boolean,
  needsEvmDenom: boolean,
  givenDescriptors?: readonly Uint8Array[],
) => Promise<DecodeContext>;

function contextSettler(
  { stores, parameters, log, signal, verify }: IndexingOptions,
  store: IndexingStore,
  source: BlockSource,
  head: ChainHead,
): SettleContext {
  return async (height, hasBlocks, needsEvmDenom, givenDescriptors = []) => {
    const told = await askChainFacts(source, log, signal);
    const wish = {
      chainId: head.chainId,
      told,
      configured: parameters,
      givenDescriptors,
      height,
      hasBlocks,
      needsEvmDenom,
    };
    // the newest block's results may not be there yet
    const latestHeight = Math.max(height, head.latestHeight - 1);
    const evidence = { source, log, signal, fromHeight: height, latestHeight };
    const context = await settleContext(store.facts, stores.spoolFolder, wish, evidence);
    return { ...context, verify: verify !== 'never' };
  };
}

/** Continues after the checkpoint; an empty store starts at --from, undefined for the chain's first height. */
function continueAt(
  position: StorePosition | undefined,
  { fromHeight }: IndexingOptions,
): number | undefined {
  if (position === undefined) return fromHeight;
  if (fromHeight !== undefined && fromHeight < position.firstHeight) {
    throw new StrataError(
      'config_invalid',
      `--from ${fromHeight} is below the store's first height ${position.firstHeight}: index into another --data folder or database`,
    );
  }
  if (fromHeight !== undefined && fromHeight > position.height + 1) {
    throw new StrataError(
      'config_invalid',
      `--from ${fromHeight} would leave a gap: the store ends at height ${position.height}, leave --from out`,
    );
  }
  return position.height + 1;
}
