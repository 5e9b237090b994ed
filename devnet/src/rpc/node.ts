import { LRUCache } from 'lru-cache';
import { bytesToBase64 } from 'strata-kit/bytes';
import type { JsonObject } from 'strata-kit/proto-json';
import { txHash } from '../comet/hashes.ts';
import type { Block, Chain } from '../comet/types.ts';
import { createLane, type Lane } from '../lane.ts';
import { internalError } from './errors.ts';
import { goJson } from './go-json.ts';
import { printBlock, printBlockResults, printTxResult } from './print-block.ts';
import { createTxWaiter, type TxWaiter } from './tx-waiter.ts';

/** What the methods work on: the chain, the texts of its blocks and txs, and clients that wait for a tx. */
export interface Node {
  readonly chain: Chain;
  /** Where it listens, as the node tells it of itself: `tcp://127.0.0.1:26657`. */
  readonly listenAddress: string;
  readonly waiter: TxWaiter;
  /** The printed results of /block and /block_results; undefined for a height that is not there. */
  texts(height: number): BlockTexts | undefined;
  /** A tx in a block as /tx and /tx_search have it. Errors: RpcError where the block has no result for it. */
  txText(block: Block, index: number): Buffer;
  /** Of all requests. */
  readonly lane: Lane;
  /** The text of consensus_param_updates, which the SDK tells after every block. */
  readonly paramUpdates: string;
  /** Hears of what no answer tells. */
  onError(error: unknown): void;
  close(): void;
}

export interface BlockTexts {
  readonly block: Buffer;
  readonly results: Buffer;
}

export interface NodeOptions {
  readonly chain: Chain;
  readonly listenAddress: string;
  readonly onError: (error: unknown) => void;
  /** Of printed blocks that are kept. */
  readonly cacheBytes?: number;
  readonly commitTimeoutMs?: number;
}

const CACHE_BYTES = 64_000_000;
const TX_CACHE_BYTES = 16_000_000;
/** CometBFT's rpc.timeout_broadcast_tx_commit. */
const COMMIT_TIMEOUT_MS = 10_000;

export function openNode(options: NodeOptions): Node {
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

  return {
    chain,
    listenAddress,
    waiter,
    paramUpdates,
    onError,
    lane: createLane(),
    texts(height) {
      const kept = cache.get(height);
      if (kept !== undefined) return kept;
      const block = chain.block(height);
      if (block === undefined) return undefined;
      const printed = printTexts(block, paramUpdates);
      cache.set(height, printed);
      return printed;
    },
    txText(block, index) {
      // another block at the same height has another hash
      const key = `${block.id.hash}/${index}`;
      const printed = txs.get(key) ?? Buffer.from(printTx(block, index), 'utf8');
      txs.set(key, printed);
      return printed;
    },
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

/** The genesis' parameters as protobuf's JSON prints them: without what is zero. */
function printParamUpdates(genesis: JsonObject): string {
  const params = genesis.consensus_params as JsonObject | undefined;
  if (params === undefined || params === null) return 'null';
  const { block, evidence, validator, version, abci } = params as Readonly<
    Record<string, JsonObject | undefined>
  >;
  const filled = (part: JsonObject | undefined) =>
    Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== '0' && value !== 0));
  return goJson({ block, evidence, validator, version: filled(version), abci: filled(abci) });
}
