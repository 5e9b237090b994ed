import type { Clock } from 'strata-kit/clock';
import { ETHEREUM_TYPE_URLS } from 'strata-kit/parameters';
import type { ChainLog } from '../chain/log.ts';
import { type BlockSource, isRpcCaller } from '../chain/source.ts';
import type { VerifyMode } from '../core/verify-mode.ts';
import { createDecoder } from '../decode/decoder.ts';
import type { ChainPosition } from '../derive/header-chain.ts';
import { createBlockVerifier } from './block-verifier.ts';
import { runDecodeTask } from './decode-task.ts';
import { createRangeLoader } from './range-loader.ts';

export interface GoodBlockQuestion {
  readonly source: BlockSource;
  readonly chainId: string;
  readonly height: number;
  /** The height above it, whose header confirms its results; the same one at the head of the chain. */
  readonly confirmedBy: number;
  /** The block before it, where the store has it. */
  readonly parent: ChainPosition | undefined;
  readonly verify: VerifyMode;
  /** The store's blocks fitted their hashes before. */
  readonly isProven: boolean;
  readonly clock: Clock;
  readonly log: ChainLog;
  readonly signal: AbortSignal;
}

/**
 * Makes sure that a node has the block with results that can be used; its rows are not used. Errors: those of
 * RangeLoader, block_unusable where no node has it.
 */
export async function checkGoodBlock(question: GoodBlockQuestion): Promise<void> {
  const { source, chainId, height, confirmedBy, parent, verify, isProven, clock, log, signal } = question;
  // whether a block can be read does not depend on what its chain calls things
  const decoder = createDecoder({
    verify: verify !== 'never',
    hrp: 'strata',
    evmDenom: '',
    moduleAccounts: [],
    ethereumTypeUrls: ETHEREUM_TYPE_URLS,
    descriptorSets: [],
  });
  const loader = createRangeLoader({
    source,
    decode: async (range, salvage) =>
      runDecodeTask(decoder, salvage === undefined ? { range } : { range, salvage }),
    chainId,
    verifier: createBlockVerifier({
      mode: verify,
      isProven,
      canAskAgain: isRpcCaller(source),
      log,
      onProven: () => undefined,
    }),
    // the one above may be bad itself: its header confirms all the same
    accepts: (each) => each !== height,
    isBrief: () => true,
    clock,
  });
  await loader.load(height, confirmedBy, signal, parent);
}
