import { StrataError } from 'strata-kit/errors';
import type { TableBlock } from '../core/table.ts';

/** What goes into and comes out of the decode stage. Pure data: it crosses threads. */

/** One block as its node printed it. */
export interface RawBlock {
  readonly height: number;
  /** The `result` object of /block, latin1 (each char is one byte of the node's UTF-8). */
  readonly block: string;
  /** The `result` object of /block_results. */
  readonly results: Uint8Array;
}

/** What decoding depends on besides the bytes: the chain's own facts and the configuration. */
export interface DecodeContext {
  /** False leaves out the hashes that blocks are held against. */
  readonly verify?: boolean;
  /** Bech32 prefix, e.g. `cosmos`. */
  readonly hrp: string;
  /** First segment of the types of events whose subjects take part in a tx (rule 3); empty or absent: none do. */
  readonly namespace?: string;
  /** The denom of the EVM's amounts, which have 18 decimals, e.g. `atest`; undefined while no chain or person named it. */
  readonly evmDenom: string | undefined;
  /** Canonical bech32 addresses that rule 3's bank movements leave out. */
  readonly moduleAccounts: readonly string[];
  /** Type URLs read as Ethereum messages. */
  readonly ethereumTypeUrls: readonly string[];
  /** Descriptor sets by app version (header.version.app), as FileDescriptorSet bytes; the last is the newest. */
  readonly descriptorSets: readonly { readonly appVersion: string; readonly bytes: Uint8Array }[];
}

/** What the writer checks at its door, one a block. */
export interface BlockHeader {
  readonly height: number;
  /** Upper-case hex. */
  readonly hash: string;
  readonly parentHash: string;
  readonly timeNs: bigint;
  readonly txCount: number;
  readonly eventCount: number;
  readonly chainId: string;
  readonly appVersion: string;
  /** Whether the header's fields and the txs are those that the block's hash covers; `ownHash` is what the fields come to. */
  readonly isHashRight: boolean;
  readonly ownHash: string;
  /** What the next header's last_results_hash must be (empty where the results are not known), and this one's; upper-case hex. */
  readonly resultsHash: string;
  readonly lastResultsHash: string;
  /** The next header's app_hash as the results give it, empty where they do not (0.37 and older, bad blocks), and this one's. */
  readonly resultsAppHash: string;
  readonly appHash: string;
}

/**
 * Why a block's results cannot be used: they are no JSON, or not of the shape of results; they are not as many as the
 * block has txs; the next header names others.
 */
export type BadBlockReason = 'results_unreadable' | 'results_missing' | 'results_disproved';

/** A block that is kept without the results that cannot be used. */
export interface BadBlock {
  readonly height: number;
  readonly reason: BadBlockReason;
}

/** What is known of a block that is to be read although its results cannot be used. */
export interface SalvageWish {
  /** The next header names other results: all that the node gives are left out. */
  readonly isDisproved: boolean;
  /** What was wrong when it was read last. */
  readonly message: string;
  /** Who sent it, without credentials. */
  readonly node: string;
}

export interface DecodedRange {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly headers: readonly BlockHeader[];
  /** The bech32 prefix that it was decoded with. */
  readonly hrp: string;
  /** Only tables that have rows. */
  readonly tables: readonly TableBlock[];
  /** Type URLs of messages and events that no descriptor set knows, so that the caller can ask the chain again. */
  readonly unknownTypeUrls: readonly string[];
  /** It holds Ethereum txs, and the context had no denom for their amounts: its rows must not be kept. */
  readonly needsEvmDenom?: boolean;
  readonly rawBytes: number;
  /** Those of its blocks that are bad; left out where there are none. */
  readonly badBlocks?: readonly BadBlock[];
}

export function lastHeader({ headers }: DecodedRange): BlockHeader {
  const last = headers[headers.length - 1];
  if (last === undefined) throw new StrataError('internal', 'a range without blocks');
  return last;
}
