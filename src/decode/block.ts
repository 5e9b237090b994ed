import type { HashedHeader } from '../core/block-hash.ts';
import { StrataError } from '../core/errors.ts';
import { readHashedHeader } from '../core/hashed-header.ts';
import type { BlockHashes } from './block-hashes.ts';
import type { BlockHeader, RawBlock } from './range.ts';
import { isObject, list, parseObject } from './results-parse.ts';

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
  const block = isObject(result.block) ? result.block : {};
  const header = isObject(block.header) ? block.header : {};
  const blockId = isObject(result.block_id) ? result.block_id : {};
  const parent = isObject(header.last_block_id) ? header.last_block_id : {};
  const version = isObject(header.version) ? header.version : {};
  const data = isObject(block.data) ? block.data : {};
  const hashed = readHashedHeader(header);
  const hash = text(blockId.hash).toUpperCase();
  if (Number(header.height) !== raw.height || hashed === undefined || !/^[0-9A-F]{64}$/.test(hash)) {
    throw new StrataError('block_malformed', `block ${raw.height} has no valid height, hash or time`, {
      height: raw.height,
      retryable: true,
    });
  }
  const txs = list(data.txs).filter((tx): tx is string => typeof tx === 'string');
  return {
    height: raw.height,
    hash,
    parentHash: text(parent.hash).toUpperCase(),
    timeNs: hashed.timeNs,
    hashed,
    proposer: text(header.proposer_address),
    chainId: text(header.chain_id),
    appVersion: text(version.app) || '0',
    txs,
    txCount: txs.length,
    eventCount: 0,
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
