import type { BlockSource, ChainHead, RawRange, RpcCaller } from '../source.ts';
import { captureInvalid } from './capture-invalid.ts';
import type { CaptureBlocks } from './reader.ts';

/** So many looks show that bytes are wrong and not of a chain with hashes of another kind (block-verifier.ts). */
const MAX_REPORTS = 3;

/**
 * A node whose blocks are read from a folder as far as that holds them. Everything else, and the heights beyond it, is
 * asked of the node. Closing it closes the node alone.
 */
export function createKeptSource(
  folder: string,
  kept: CaptureBlocks,
  node: BlockSource & RpcCaller,
): BlockSource & RpcCaller {
  const { firstHeight, lastHeight } = kept;
  const isKept = (height: number): boolean => height >= firstHeight && height <= lastHeight;
  let reports = 0;

  async function readKept(fromHeight: number, toHeight: number): Promise<RawRange> {
    const bytes = await kept.readLines(fromHeight, toHeight);
    const body = { layout: 'capture', fromHeight, toHeight, bytes } as const;
    return { fromHeight, toHeight, bodies: [body], byteLength: bytes.length, origin: folder };
  }

  return {
    ...node,
    name: `${node.name} and ${folder}`,

    head: async (signal) => withKeptHeights(await node.head(signal), kept),

    fetch: async (fromHeight, toHeight, signal, options) => {
      if (!isKept(fromHeight)) return node.fetch(fromHeight, toHeight, signal, options);
      if (isKept(toHeight)) return readKept(fromHeight, toHeight);
      const [before, after] = await Promise.all([
        readKept(fromHeight, lastHeight),
        node.fetch(lastHeight + 1, toHeight, signal, options),
      ]);
      return {
        ...after,
        fromHeight,
        bodies: [...before.bodies, ...after.bodies],
        byteLength: before.byteLength + after.byteLength,
      };
    },

    reportBad: (range, reason) => {
      if (!isKept(range.toHeight)) return node.reportBad(range, reason);
      reports++;
      if (reports <= MAX_REPORTS) return;
      const heights = `heights ${range.fromHeight} to ${range.toHeight}`;
      throw captureInvalid(folder, `${heights}: ${reason.message}`, reason);
    },
  };
}

/** What a node has pruned and the folder holds can be indexed, if nothing is missing between the two. */
export function withKeptHeights(head: ChainHead, { firstHeight, lastHeight }: CaptureBlocks): ChainHead {
  if (lastHeight + 1 < head.earliestHeight) return head;
  return { ...head, earliestHeight: Math.min(firstHeight, head.earliestHeight) };
}
