import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import type { Codec } from 'strata-kit/codec/codec';
import type { Json } from 'strata-kit/proto-json';
import type { ChainParameters } from '../app/parameters.ts';
import type { Block, Chain } from '../comet/types.ts';
import { createLane, type Lane } from '../lane.ts';
import { precompileCode, stableAddress } from '../modules/evm/precompiles.ts';
import { codeAt } from '../modules/evm/state-manager.ts';
import { createTransactionReader, type EthereumTx } from '../modules/evm/transaction.ts';
import type { Simulations } from '../simulation/simulations.ts';
import type { Reader } from '../state/state.ts';
import { type EthereumBlocks, openBlocks } from './blocks.ts';
import { invalidParams, serverError } from './errors.ts';
import { hashParam, objectParam, quantityParam } from './params.ts';

/** What Ethereum's JSON-RPC is served from. */
export interface EthereumSource {
  readonly chain: Chain;
  readonly codec: Codec;
  readonly parameters: ChainParameters;
  /** The state after a height that the chain keeps: from the earliest to the latest, and 0 before the first block. */
  readerAt(height: number): Reader;
  /** Where calls are executed. */
  readonly simulations: Simulations;
}

export interface EthereumNode extends EthereumSource {
  readonly blocks: EthereumBlocks;
  readonly read: (raw: Uint8Array) => EthereumTx;
  /** Of all requests. */
  readonly lane: Lane;
}

export function openEthereumNode(source: EthereumSource): EthereumNode {
  const read = createTransactionReader(source.parameters.evmChainId);
  const lane = createLane();
  return { ...source, read, lane, blocks: openBlocks({ ...source, read, lane }) };
}

/** A state, the block that it is after, and the height and time that an execution sees. */
export interface Standpoint {
  readonly height: number;
  readonly timeNs: bigint;
  readonly block: Block | undefined;
  readonly reader: Reader;
}

/**
 * The height of a block tag: a quantity, `latest` (as `pending`, `safe` and `finalized`: a block is final at once),
 * `earliest`, or an object with blockNumber or blockHash. Errors: -32602, and -32000 where the chain has it no more.
 */
export function heightOf({ chain }: EthereumSource, tag: Json | undefined): number {
  const latest = chain.latestHeight();
  if (tag === undefined || tag === null || /^(latest|pending|safe|finalized)$/.test(String(tag)))
    return latest;
  if (tag === 'earliest') return chain.earliestHeight();
  if (typeof tag === 'object') {
    const { blockNumber, blockHash } = objectParam(tag, 'block');
    if (blockHash === undefined) return heightOf({ chain } as EthereumSource, blockNumber ?? null);
    const height = chain.heightOfBlock(hashParam(blockHash, 'blockHash').slice(2).toUpperCase());
    if (height === undefined) throw serverError('header for hash not found');
    return height;
  }
  const height = quantityParam(tag, 'block');
  if (height > BigInt(Number.MAX_SAFE_INTEGER)) throw invalidParams('block number larger than int64');
  return Number(height);
}

/** Errors: as heightOf. */
export function standpointOf(node: EthereumSource, tag: Json | undefined): Standpoint {
  const { chain } = node;
  const height = heightOf(node, tag);
  if (height > chain.latestHeight() || (height < chain.earliestHeight() && height !== 0))
    throw serverError('header not found');
  const block = chain.block(height);
  return { height, timeNs: block?.header.timeNs ?? 0n, block, reader: node.readerAt(height) };
}

/** 32 bytes. */
export function blockHashBytes(block: Block | undefined): Uint8Array {
  return (block === undefined ? undefined : hexToBytes(block.id.hash)) ?? new Uint8Array(32);
}

/** What callers find at an address: a contract's code, or a token's. */
export function codeSeenAt({ parameters }: EthereumSource, reader: Reader, address: Uint8Array): Uint8Array {
  const tokens = precompileCode(reader, stableAddress(parameters));
  return codeAt({ state: reader, precompileCode: tokens }, bytesToHex(address));
}
