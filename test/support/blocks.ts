/**
 * The synthetic blocks, to be decoded one by one or indexed as a chain. A test of a decoder is a loop:
 *
 *     for (const { name, block, results, expected } of syntheticChain()) it(name, () => { … });
 */

import type { RawBlock } from '../../src/decode/range.ts';
import * as ethermint from './blocks/ethermint.ts';
import * as events from './blocks/events.ts';
import type { BlockCase, SyntheticBlock } from './blocks/layout.ts';
import * as outcomes from './blocks/outcomes.ts';
import * as txs from './blocks/txs.ts';

export const BLOCK_CASES: readonly BlockCase[] = [
  outcomes.failedCalls,
  outcomes.creations,
  outcomes.loggingCall,
  outcomes.twoMessages,
  outcomes.notExecuted,
  outcomes.oddSignatures,
  outcomes.brokenEthereumMessage,
  ethermint.ethermintShapes,
  ethermint.results034,
  ethermint.empty034,
  ethermint.sparseResults,
  txs.fees,
  txs.severalSigners,
  txs.unknownMessages,
  txs.brokenTxs,
  events.oddTexts,
  events.foreignEscapes,
  events.oddTexts034,
  events.results037,
  events.withoutMode,
  events.typedEvents,
  events.bankEvents,
  ...events.times,
];

/** Each case on top of the one before, so that the parent hashes fit. The first block's parent is empty at height 1. */
export function chainBlocks(
  cases: readonly BlockCase[],
  firstHeight = 1,
  parentHash = '',
): readonly SyntheticBlock[] {
  const blocks: SyntheticBlock[] = [];
  for (const { build } of cases) {
    const parent = blocks.at(-1)?.expected.hash ?? parentHash;
    blocks.push(build({ height: firstHeight + blocks.length, parentHash: parent }));
  }
  return blocks;
}

export function syntheticChain(): readonly SyntheticBlock[] {
  return chainBlocks(BLOCK_CASES);
}

/** The block as decoders take it. */
export function rawBlock({ height, block, results }: SyntheticBlock): RawBlock {
  return { height, block, results: Buffer.from(results, 'latin1') };
}

/** The block as a line of a capture's blocks.jsonl, in bytes, without the newline. */
export function captureLine({ height, block, results }: SyntheticBlock): Uint8Array {
  return Buffer.from(`{"height":${height},"block":${block},"block_results":${results}}`, 'latin1');
}
