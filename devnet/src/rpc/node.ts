import { LRUCache } from 'lru-cache';
import { bytesToBase64 } from 'strata-kit/bytes';
import { internalError } from 'strata-kit/rpc/errors';
import { READ_METHODS } from 'strata-kit/rpc/methods';
import type { RpcNode } from 'strata-kit/rpc/node';
import { txHash } from '../comet/hashes.ts';
import type { Block, Chain } from '../comet/types.ts';
import { chainMethods } from './methods/chain.ts';
import { mempoolMethods } from './methods/mempool.ts';
import { printBlock, printBlockResults, printParamUpdates, printTxResult } from './print-block.ts';
import { rpcChain } from './rpc-chain.ts';
import { eventsOf } from './socket-events.ts';
import { createTxWaiter } from './tx-waiter.ts';

/** The texts of a chain's blocks and txs, printed once while they are asked for. */
export interface Texts {
  /** The printed results of /block and /block_results; undefined for a height that is not there. */
  block(height: number): BlockTexts | undefined;
  /** A tx in a block as /tx and /tx_search have it. Errors: RpcError where the block has no result for it. */
  tx(block: Block, index: number): Buffer;
}

interface BlockTexts {
  readonly block: Buffer;
  readonly results: Buffer;
}

export interface NodeOptions {
  readonly chain: Chain;
  /** Where it listens, as /status has it: `tcp://127.0.0.1:26657`. */
  readonly listenAddress: string;
  readonly onError: (error: unknown) => void;
  /** Of printed blocks that are kept. */
  readonly cacheBytes?: number | undefined;
  readonly commitTimeoutMs?: number | undefined;
}

const CACHE_BYTES = 64_000_000;
const TX_CACHE_BYTES = 16_000_000;
/** CometBFT's rpc.timeout_broadcast_tx_commit. */
const COMMIT_TIMEOUT_MS = 10_000;

/** The chain as a node of CometBFT. */
export function openNode(options: NodeOptions): RpcNode {
  const { chain, listenAddress, onError } = options;
  const paramUpdates = printParamUpdates(chain.genesis);
  const cache = new LRUCache<number, BlockTexts>({
    maxSize: options.cacheBytes ?? CACHE_BYTES,
    sizeCalculation: ({ block, results }) => block.length + results.length,
  });
  const txs = new LRUCache<string, Buffer>({
    maxSize: TX_CACHE_BYTES,
    sizeCalculation: (text) => text.length,
  });
  const waiter = createTxWaiter(chain, options.commitTimeoutMs ?? COMMIT_TIMEOUT_MS);
  const forget = chain.onBlock(({ header: { height } }) => {
    // a chain that goes on at a height that it had has written it anew
    for (let stale = height; cache.delete(stale); stale++);
  });
  const texts: Texts = {
    block(height) {
      const kept = cache.get(height);
      if (kept !== undefined) return kept;
      const block = chain.block(height);
      if (block === undefined) return undefined;
      const printed = printTexts(block, paramUpdates);
      cache.set(height, printed);
      return printed;
    },
    tx(block, index) {
      // another block at the same height has another hash
      const key = `${block.id.hash}/${index}`;
      const printed = txs.get(key) ?? Buffer.from(printTx(block, index), 'utf8');
      txs.set(key, printed);
      return printed;
    },
  };

  return {
    chain: rpcChain(chain, texts, listenAddress),
    methods: new Map([
      ...READ_METHODS,
      ...chainMethods(chain, texts),
      ...mempoolMethods(chain, waiter, onError),
    ]),
    onEvents: (listener) => chain.onBlock((block) => listener((name) => eventsOf(name, block, paramUpdates))),
    onError,
    close() {
      forget();
      waiter.close();
    },
  };
}

function printTexts(block: Block, paramUpdates: string): BlockTexts {
  return {
    block: Buffer.from(printBlock(block), 'utf8'),
    results: Buffer.from(printBlockResults(block, paramUpdates), 'utf8'),
  };
}

function printTx(block: Block, index: number): string {
  const tx = block.txs[index];
  const result = block.results[index];
  if (tx === undefined || result === undefined) throw internalError('the tx index is corrupt');
  return `{"hash":"${txHash(tx)}","height":"${block.header.height}","index":${index},"tx_result":${printTxResult(result)},"tx":"${bytesToBase64(tx)}"}`;
}
