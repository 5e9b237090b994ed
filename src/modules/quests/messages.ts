import type { BlockFacts, LogFact } from '../../derive/facts.ts';

/**
 * Who sent the Ethereum message that a log is of, 40 lower-case hex digits; undefined where it did not succeed.
 * Messages are in the order of txs.
 */
export function senderOf({ evmTxs }: BlockFacts, { txIndex, msgIndex }: LogFact): string | undefined {
  let low = 0;
  let high = evmTxs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const at = evmTxs[middle];
    if (at === undefined) return undefined;
    if (at.txIndex < txIndex || (at.txIndex === txIndex && at.msgIndex < msgIndex)) low = middle + 1;
    else high = middle;
  }
  const found = evmTxs[low];
  return found?.txIndex === txIndex && found.msgIndex === msgIndex ? found.sender : undefined;
}
