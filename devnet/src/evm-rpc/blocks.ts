import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { LRUCache } from 'lru-cache';
import { base64ToBytes } from 'strata-kit/bytes';
import { ChainError } from 'strata-kit/chain-error';
import type { Codec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { createQueue } from '../app/queue.ts';
import { blockWeight } from '../comet/block-weight.ts';
import type { Block, Chain, TxResult } from '../comet/types.ts';
import type { Lane } from '../lane.ts';
import { MSG_ETHEREUM_TX } from '../modules/evm/ante.ts';
import type { EthereumTx } from '../modules/evm/transaction.ts';
import { type ExecutedLog, readResponses } from './response.ts';

/** The blocks of the chain as Ethereum's: those of their txs that are Ethereum's and passed the ante. */

export interface EthereumBlock {
  readonly block: Block;
  readonly txs: readonly ExecutedTx[];
}

export interface ExecutedTx {
  readonly tx: EthereumTx;
  /** Among the block's Ethereum txs that passed the ante: its logs say so too. */
  readonly index: number;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  /** Of the block's Ethereum txs up to this one. */
  readonly cumulativeGasUsed: bigint;
  logs(): Iterable<ExecutedLog>;
}

export interface Place {
  readonly height: number;
  readonly index: number;
}

export interface EthereumBlocks {
  /** Undefined above the head and below what is kept. What it takes counts as work of the client. */
  at(height: number, client: string): Promise<EthereumBlock | undefined>;
  /** By the hash of the signed bytes: the newest inclusion that passed the ante. Looks from the head backwards. */
  find(hash: string): Promise<Place | undefined>;
  /** The Ethereum txs in a tx of the chain, executed or not. */
  read(txBytes: Uint8Array): readonly EthereumTx[];
}

const KEPT_BLOCKS = 1_024;
/** What they hold together; one with 4 MB of txs has twice as much. */
const KEPT_BYTES = 64_000_000;
/** Txs that are found by their hash; older ones are not. */
const KEPT_HASHES = 500_000;
/** Looked for before a tx is taken apart: the type URL stands in its bytes. */
const TYPE_URL = Buffer.from(MSG_ETHEREUM_TX);

export interface BlocksParts {
  readonly chain: Chain;
  readonly codec: Codec;
  readonly read: (raw: Uint8Array) => EthereumTx;
  readonly lane: Lane;
}

export function openBlocks({ chain, codec, read, lane }: BlocksParts): EthereumBlocks {
  const views = new LRUCache<number, EthereumBlock>({
    max: KEPT_BLOCKS,
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ block }) => 2 * blockWeight(block),
  });
  /** One block is taken apart at a time, for all clients: each may take many slices and several megabytes. */
  const building = createQueue();
  const places = new LRUCache<string, Place>({ max: KEPT_HASHES });
  /** Blocks from `oldest` to `newest` are in `places`; none where oldest is above newest. */
  let newest = chain.latestHeight();
  let oldest = newest + 1;

  /** By the events alone, which every tx that passed the ante has: no tx is taken apart. */
  function learn(height: number): void {
    for (const { type, attributes } of (chain.block(height)?.results ?? []).flatMap(({ events }) => events)) {
      if (type !== 'ethereum_tx') continue;
      const hash = attributes.find(([key]) => key === 'ethereumTxHash')?.[1];
      const index = Number(attributes.find(([key]) => key === 'txIndex')?.[1]);
      if (hash === undefined) continue;
      const known = places.get(hash);
      if (known === undefined || known.height < height) places.set(hash, { height, index });
    }
  }

  function readTxs(txBytes: Uint8Array): readonly EthereumTx[] {
    if (!Buffer.from(txBytes.buffer, txBytes.byteOffset, txBytes.byteLength).includes(TYPE_URL)) return [];
    try {
      return rawsOf(codec, txBytes).map(read);
    } catch (error) {
      // what the chain refused to read is no Ethereum tx
      if (error instanceof ChainError) return [];
      throw error;
    }
  }

  async function viewOf(block: Block, client: string): Promise<EthereumBlock> {
    const txs: ExecutedTx[] = [];
    let cumulativeGasUsed = 0n;
    for (const [i, txBytes] of block.txs.entries()) {
      await lane.step(client);
      const result = block.results[i];
      // no events: it failed in the ante
      if (result === undefined || result.events.length === 0) continue;
      const responses = readResponses(result.data);
      for (const [at, tx] of readTxs(txBytes).entries()) {
        const response = responses[at];
        const gasUsed = response?.gasUsed ?? gasWithoutResponse(result, at);
        cumulativeGasUsed += gasUsed;
        txs.push({
          tx,
          index: txs.length,
          succeeded: result.code === 0 && response?.vmError === '',
          gasUsed,
          cumulativeGasUsed,
          logs: response?.logs ?? noLogs,
        });
      }
    }
    return { block, txs };
  }

  async function at(height: number, client: string): Promise<EthereumBlock | undefined> {
    const kept = views.get(height);
    if (kept !== undefined) return kept;
    const block = chain.block(height);
    if (block === undefined) return undefined;
    return building.run(async () => {
      const view = views.get(height) ?? (await viewOf(block, client));
      views.set(height, view);
      return view;
    });
  }

  return {
    at,
    async find(hash) {
      // what one search learns serves all others, so they share a turn
      const client = '';
      while (newest < chain.latestHeight()) {
        newest += 1;
        learn(newest);
        await lane.step(client);
      }
      while (!places.has(hash) && oldest > chain.earliestHeight() && places.size < KEPT_HASHES) {
        oldest -= 1;
        learn(oldest);
        await lane.step(client);
      }
      return places.get(hash);
    },
    read: readTxs,
  };
}

/** A tx that failed in a message has no responses; its first Ethereum tx gets all the gas. */
function gasWithoutResponse({ gasUsed }: TxResult, at: number): bigint {
  return at === 0 ? gasUsed : 0n;
}

/** The signed bytes in a tx of the chain, one a message. */
function rawsOf(codec: Codec, txBytes: Uint8Array): readonly Uint8Array[] {
  const reader = new BinaryReader(txBytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (field !== 1 || type !== WireType.LengthDelimited) {
      reader.skip(type, field);
      continue;
    }
    const { messages } = codec.decode('/cosmos.tx.v1beta1.TxBody', reader.bytes());
    return (messages as readonly JsonObject[])
      .filter((message) => message['@type'] === MSG_ETHEREUM_TX)
      .map(({ raw }) => base64ToBytes(String(raw)));
  }
  return [];
}

function noLogs(): readonly ExecutedLog[] {
  return [];
}
