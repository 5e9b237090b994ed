import type { HashedHeader } from 'strata-kit/block-hash';
import { StrataError } from 'strata-kit/errors';
import { readHashedHeader } from 'strata-kit/hashed-header';
import { objectOf, textOf } from 'strata-kit/json';
import type { BlockHashes } from './block-hashes.ts';
import type { BlockHeader, RawBlock } from './range.ts';
import { list, parseObject } from './results-parse.ts';

export interface DecodedHeader extends Omit<BlockHeader, keyof BlockHashes> {
  readonly hashed: HashedHeader;
  /** Hex of 20 bytes, empty when absent. */
  readonly proposer: string;
  /** Base64 of each tx. */
  readonly txs: readonly string[];
}

/** Reads the `result` of /block. Errors: block_malformed when height, hash or time are missing. */
export function readBlock(raw: RawBlock): DecodedHeader {
  // read as latin1: every field that Strata takes from a block is ASCII
  const result = parseObject(raw.block, `block ${raw.height}`);
  const block = objectOf(result.block);
  const header = objectOf(block.header);
  const hashed = readHashedHeader(header);
  const hash = textOf(objectOf(result.block_id).hash).toUpperCase();
  if (Number(header.height) !== raw.height || hashed === undefined || !/^[0-9A-F]{64}$/.test(hash)) {
    throw new StrataError('block_malformed', `block ${raw.height} has no valid height, hash or time`, {
      height: raw.height,
      retryable: true,
    });
  }
  const txs = list(objectOf(block.data).txs).filter((tx): tx is string => typeof tx === 'string');
  return {
    height: raw.height,
    hash,
    parentHash: hashed.parentHash.toUpperCase(),
    timeNs: hashed.timeNs,
    hashed,
    proposer: hashed.proposer,
    chainId: hashed.chainId,
    appVersion: hashed.appVersion,
    txs,
    txCount: txs.length,
    eventCount: 0,
  };
}
