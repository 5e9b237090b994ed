import { LRUCache } from 'lru-cache';
import { blockIdOf, commitHash } from '../comet/hashes.ts';
import type { Block, BlockId, Chain, Commit, Header } from '../comet/types.ts';
import type { Signer } from '../comet/validator.ts';
import type { Fault } from './names.ts';
import { viewOf } from './view.ts';

/** Chains that go on with other blocks from a height on: what follows hangs on them, with hashes and commits that fit. */

/** So many blocks stand on the one that is rewritten when it is. */
export const FORK_DEPTH = 5;
const DEFAULT_HEIGHT = 100;
/** Ids that are kept: the newest, and one of so many for good. */
const KEPT_IDS = 5_000;
const ANCHOR_EVERY = 1_000;

/**
 * The block at the height is another one, a nanosecond later, with the same parent and txs, as soon as some blocks stand
 * on it; those are written anew too and announced again.
 */
export function forked(chain: Chain, signer: Signer, { from = DEFAULT_HEIGHT }: Fault): Chain {
  return rewritten(chain, signer, {
    from,
    since: from + FORK_DEPTH,
    chainId: chain.chainId,
    change: (header) => (header.height === from ? { ...header, timeNs: header.timeNs + 1n } : header),
  });
}

/** Blocks from the height on, and the status from then on, are of another chain. */
export function renamed(chain: Chain, signer: Signer, { from = DEFAULT_HEIGHT }: Fault): Chain {
  const other = `${chain.chainId}-other`;
  const view = rewritten(chain, signer, {
    from,
    since: from,
    chainId: other,
    change: (header) => ({ ...header, chainId: other }),
  });
  return viewOf(view, {
    get chainId() {
      return chain.latestHeight() < from ? chain.chainId : other;
    },
  });
}

interface Rewriting {
  /** The first height that is another. */
  readonly from: number;
  /** The head at which it becomes so. */
  readonly since: number;
  readonly chainId: string;
  /** What the rest does not follow from. */
  readonly change: (header: Header) => Header;
}

function rewritten(chain: Chain, signer: Signer, { from, since, chainId, change }: Rewriting): Chain {
  const ids = new LRUCache<number, BlockId>({ max: KEPT_IDS });
  const anchors = new Map<number, BlockId>();
  // other blocks are found by their hashes once they have been read
  const heights = new LRUCache<string, number>({ max: KEPT_IDS });
  const isOther = (height: number) => height >= from && chain.latestHeight() >= since;

  /** `parent` is undefined for the first of them, whose parent is the one it was. */
  function rewrite(block: Block, parent: BlockId | undefined): Block {
    const header = change(block.header);
    const lastCommit = commitOn(block, header, parent);
    const full: Header = {
      ...header,
      lastBlockId: parent ?? header.lastBlockId,
      lastCommitHash: commitHash(lastCommit),
    };
    const { id, sizeBytes } = blockIdOf(full, block.txs, lastCommit);
    remember(header.height, id);
    return { ...block, id, header: full, lastCommit, sizeBytes };
  }

  function remember(height: number, id: BlockId): void {
    ids.set(height, id);
    heights.set(id.hash, height);
    if (height % ANCHOR_EVERY === 0) anchors.set(height, id);
  }

  /** A block's time is that of the commit which it holds. */
  function commitOn({ lastCommit }: Block, header: Header, parent: BlockId | undefined): Commit {
    if (lastCommit.height === 0) return lastCommit;
    return sign(lastCommit.height, parent ?? lastCommit.blockId, header.timeNs);
  }

  function sign(height: number, id: BlockId, timeNs: bigint): Commit {
    return signer.commit(height < from ? chain.chainId : chainId, height, id, timeNs);
  }

  /** Undefined for a height that is not there. */
  function idAt(height: number): BlockId | undefined {
    const known = ids.get(height);
    if (known !== undefined) return known;
    let start = height;
    // what was pruned meanwhile cannot be rewritten: the chain's first block then stands for the first
    const first = Math.max(from, chain.earliestHeight());
    while (start > first && idKept(start - 1) === undefined) start--;
    let id = idKept(start - 1);
    for (let next = start; next <= height; next++) {
      const block = chain.block(next);
      if (block === undefined) return undefined;
      ({ id } = rewrite(block, id));
    }
    return id;
  }

  function idKept(height: number): BlockId | undefined {
    return height < from ? undefined : (ids.get(height) ?? anchors.get(height));
  }

  function other(block: Block): Block {
    const { height } = block.header;
    return isOther(height) ? rewrite(block, height === from ? undefined : idAt(height - 1)) : block;
  }

  return viewOf(chain, {
    block(height) {
      const block = chain.block(height);
      return block === undefined ? undefined : other(block);
    },
    commitOf(height) {
      const next = isOther(height + 1) ? chain.block(height + 1) : undefined;
      if (next !== undefined) return other(next).lastCommit;
      const commit = chain.commitOf(height);
      const id = isOther(height) ? idAt(height) : undefined;
      return commit === undefined || id === undefined ? commit : sign(height, id, commit.timeNs);
    },
    heightOfBlock(hash) {
      const height = chain.heightOfBlock(hash);
      return height === undefined ? heights.get(hash) : isOther(height) ? undefined : height;
    },
    onBlock: (listener) =>
      chain.onBlock((block) => {
        const { height } = block.header;
        if (height === since) {
          for (let again = from; again < since; again++) {
            const before = chain.block(again);
            if (before !== undefined) listener(other(before));
          }
        }
        listener(other(block));
      }),
  });
}
