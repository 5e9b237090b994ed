import { StrataError } from 'strata-kit/errors';
import type { ChainHead } from './source.ts';

export interface SourceWish {
  /** The chain id that the source must have. */
  readonly chainId?: string;
  readonly startHeight?: number;
}

/**
 * Checks before any block is asked for that the source has what is wanted.
 * Errors: chain_id_mismatch; height_pruned, which names the height to use instead.
 */
export function checkSource(head: ChainHead, { chainId, startHeight }: SourceWish): void {
  if (chainId !== undefined && chainId !== head.chainId) {
    throw new StrataError('chain_id_mismatch', `the source serves chain ${head.chainId}, not ${chainId}`);
  }
  if (startHeight !== undefined && startHeight < head.earliestHeight) {
    throw new StrataError(
      'height_pruned',
      `height ${startHeight} is wanted, but the source's lowest height is ${head.earliestHeight}: start at ${head.earliestHeight} or ask an archive node`,
      { height: startHeight, lowestHeight: head.earliestHeight },
    );
  }
}
