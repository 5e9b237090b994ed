import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { serveBlocks } from './bytes-node.ts';

/**
 * A node in a process of its own that serves a corpus (`strata corpus`) from memory. argv: its folder, and how many of
 * its blocks. Prints its URL.
 */
const READ_BLOCKS = 200;
const capture = await openCapture(process.argv[2] ?? '');
const source = createCaptureSource(capture);
const { latestHeight } = await source.head();
const height = Math.min(latestHeight, Number(process.argv[3] ?? latestHeight));
const texts = { block: new Map<number, Buffer>(), block_results: new Map<number, Buffer>() };
for (let from = 1; from <= height; from += READ_BLOCKS) {
  for (const { height: at, block, results } of splitRange(
    await source.fetch(from, Math.min(height, from + READ_BLOCKS - 1)),
  )) {
    texts.block.set(at, Buffer.from(block, 'latin1'));
    texts.block_results.set(at, Buffer.from(results));
  }
}
serveBlocks(capture, {
  height,
  push(method, at, out) {
    out.push(texts[method].get(at) ?? Buffer.from('null'));
  },
});
