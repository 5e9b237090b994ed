import type { Capture } from '../../src/chain/capture/reader.ts';
import type { StretchedChain } from './stretched-chain.ts';

/** A capture whose blocks are a stretched chain's, so that the replay serves it with a pace and a websocket. */
export function stretchedCapture(capture: Capture, chain: StretchedChain, lastHeight: number): Capture {
  const readLines = async (fromHeight: number, toHeight: number): Promise<Uint8Array> => {
    const out: Buffer[] = [];
    for (let height = fromHeight; height <= toHeight; height++) {
      out.push(Buffer.from(`{"height":${height},"block":`));
      chain.push('block', height, out);
      out.push(Buffer.from(',"block_results":'));
      chain.push('block_results', height, out);
      out.push(Buffer.from('}\n'));
    }
    return Buffer.concat(out);
  };
  return { ...capture, blocks: { firstHeight: 1, lastHeight, readLines, close: async () => undefined } };
}
