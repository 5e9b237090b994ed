import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { LRUCache } from 'lru-cache';
import { base64ToBytes, hexToBytes } from '../../core/bytes.ts';
import { ChainError } from '../app/errors.ts';
import type { Codec } from '../codec/codec.ts';
import type { Block, Chain, TxResult } from '../comet/types.ts';
import type { JsonObject } from '../json.ts';
import { MSG_ETHEREUM_TX } from '../modules/evm/ante.ts';
import type { EthereumTx } from '../modules/evm/transaction.ts';
import { createSlices, type Lane } from './lane.ts';

/** The blocks of the chain as Ethereum's: those of their txs that are Ethereum's and passed the ante. */

export interface EthereumBlock {
  readonly block: Block;
  readonly txs: readonly ExecutedTx[];
}

export interface SignedTx {
  readonly tx: EthereumTx;
  readonly raw: Uint8Array;
}

export interface ExecutedTx extends SignedTx {
  /** Among the block's Ethereum txs that passed the ante: its logs say so too. */
  readonly index: number;
  readonly succeeded: boolean;
  readonly gasUsed: bigint;
  readonly logs: readonly ExecutedLog[];
}

export interface ExecutedLog {
  /** 20 bytes. */
  readonly address: Uint8Array;
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** In the block. */
  readonly index: number;
}

export interface Place {
  readonly height: number;
  readonly index: number;
}

export interface EthereumBlocks {
  /** Undefined above the head and below what is kept. */
  at(height: number): EthereumBlock | undefined;
  /** By the hash of the signed bytes: the newest inclusion that passed the ante. Looks from the head backwards. */
  find(hash: string): Promise<Place | undefined>;
  /** The Ethereum txs in a tx of the chain, executed or not. */
  read(txBytes: Uint8Array): readonly SignedTx[];
}

const KEPT_BLOCKS = 1_024;
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
  const views = new LRUCache<number, EthereumBlock>({ max: KEPT_BLOCKS });
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

  function readTxs(txBytes: Uint8Array): readonly SignedTx[] {
    if (!Buffer.from(txBytes.buffer, txBytes.byteOffset, txBytes.byteLength).includes(TYPE_URL)) return [];
    try {
      return rawsOf(codec, txBytes).map((raw) => ({ tx: read(raw), raw }));
    } catch (error) {
      // what the chain refused to read is no Ethereum tx
      if (error instanceof ChainError) return [];
      throw error;
    }
  }

  function viewOf(block: Block): EthereumBlock {
    const txs: ExecutedTx[] = [];
    for (const [i, txBytes] of block.txs.entries()) {
      const result = block.results[i];
      // no events: it failed in the ante
      if (result === undefined || result.events.length === 0) continue;
      const responses = responsesOf(codec, result.data);
      for (const [at, found] of readTxs(txBytes).entries()) {
        const response = responses[at];
        txs.push({
          ...found,
          index: txs.length,
          succeeded: result.code === 0 && response?.vm_error === '',
          gasUsed:
            response === undefined ? gasWithoutResponse(result, at) : BigInt(String(response.gas_used)),
          logs: response === undefined ? [] : (response.logs as readonly JsonObject[]).map(logOf),
        });
      }
    }
    return { block, txs };
  }

  function at(height: number): EthereumBlock | undefined {
    const kept = views.get(height);
    if (kept !== undefined) return kept;
    const block = chain.block(height);
    if (block === undefined) return undefined;
    const view = viewOf(block);
    views.set(height, view);
    return view;
  }

  return {
    at,
    async find(hash) {
      // what one search learns serves all others, so they share a turn
      const slices = createSlices(lane, '');
      while (newest < chain.latestHeight()) {
        newest += 1;
        learn(newest);
        await slices.step();
      }
      while (!places.has(hash) && oldest > chain.earliestHeight() && places.size < KEPT_HASHES) {
        oldest -= 1;
        learn(oldest);
        await slices.step();
      }
      return places.get(hash);
    },
    read: readTxs,
  };
}

/** A tx that failed in a message has no responses; what it used is told once. */
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

function responsesOf(codec: Codec, data: Uint8Array): readonly JsonObject[] {
  if (data.length === 0) return [];
  const { msg_responses: responses } = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', data);
  return responses as readonly JsonObject[];
}

function logOf({ address, topics, data, index }: JsonObject): ExecutedLog {
  return {
    address: hexBytes(address as string),
    topics: (topics as readonly string[]).map(hexBytes),
    data: base64ToBytes(String(data)),
    index: Number(index),
  };
}

function hexBytes(text: string): Uint8Array {
  return hexToBytes(text.slice(2)) ?? new Uint8Array(0);
}
