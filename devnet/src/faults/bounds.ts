import type { Chain, QueryAnswer } from '../comet/types.ts';
import type { Fault } from './names.ts';
import { viewOf } from './view.ts';

/** Chains of which a part cannot be seen: the old one, the new one, or what is newer than a height. */

/** Blocks that a lagging node is behind. */
export const LAG_BLOCKS = 3;
/** What a pruned node keeps when no height is given. */
export const KEPT_BLOCKS = 100;
const DEFAULT_HALT = 100;

interface Bounds {
  /** By the height that has been produced. */
  readonly lowest: (produced: number) => number;
  readonly highest: (produced: number) => number;
}

/** Nothing below the height, once it is reached; without one, the newest blocks alone. */
export function pruned(chain: Chain, { from }: Fault): Chain {
  return bounded(chain, {
    highest: (produced) => produced,
    lowest: (produced) => {
      if (from === undefined) return produced - KEPT_BLOCKS + 1;
      return produced < from ? 1 : from;
    },
  });
}

/** No block above the height. Txs are still taken, and never seen in one. */
export function halted(chain: Chain, { from = DEFAULT_HALT }: Fault): Chain {
  return bounded(chain, { lowest: () => 1, highest: (produced) => Math.min(produced, from) });
}

/** Some blocks behind, from the height on, and never back. */
export function lagging(chain: Chain, { from = 1 }: Fault): Chain {
  return bounded(chain, {
    lowest: () => 1,
    highest: (produced) =>
      produced < from ? produced : Math.max(produced - LAG_BLOCKS, Math.min(produced, from) - 1),
  });
}

function bounded(chain: Chain, bounds: Bounds): Chain {
  const head = () => bounds.highest(chain.latestHeight());
  const bottom = () => Math.max(chain.earliestHeight(), bounds.lowest(chain.latestHeight()));
  const isSeen = (height: number) => height >= bottom() && height <= head();

  return viewOf(chain, {
    latestHeight: head,
    earliestHeight: bottom,
    block: (height) => (isSeen(height) ? chain.block(height) : undefined),
    commitOf: (height) => (isSeen(height) ? chain.commitOf(height) : undefined),
    heightOfBlock(hash) {
      const height = chain.heightOfBlock(hash);
      return height !== undefined && isSeen(height) ? height : undefined;
    },
    placeOfTx(hash) {
      const place = chain.placeOfTx(hash);
      return place !== undefined && isSeen(place.height) ? place : undefined;
    },
    async query(path, data, height, caller) {
      if (height > head()) {
        return refused(
          26,
          'cannot query with height in the future; please provide a valid height: invalid height',
        );
      }
      if (height !== 0 && height < bottom()) {
        const reason = `version does not exist (latest height: ${head()}): invalid request`;
        return refused(18, `failed to load state at height ${height}; ${reason}`);
      }
      return chain.query(path, data, height === 0 && head() < chain.latestHeight() ? head() : height, caller);
    },
    onBlock(listener) {
      let seen = head();
      return chain.onBlock((block) => {
        // a height that was seen has been written anew
        if (block.header.height <= seen) listener(block);
        for (const highest = bounds.highest(block.header.height); seen < highest; ) {
          seen += 1;
          const next = seen === block.header.height ? block : chain.block(seen);
          if (next !== undefined) listener(next);
        }
      });
    },
  });
}

function refused(code: number, log: string): QueryAnswer {
  return { code, codespace: 'sdk', log, value: new Uint8Array(0), height: 0 };
}
