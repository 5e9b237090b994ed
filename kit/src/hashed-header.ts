import { HASH_FIELDS, type HashedHeader } from './block-hash.ts';
import { type JsonMap, objectOf, textOf } from './json.ts';
import { parseTimeNs } from './time.ts';

/** The fields that a block's hash covers, from the header of a /block answer. Undefined when its time or its parent's part count cannot be read. */
export function readHashedHeader(header: JsonMap): HashedHeader | undefined {
  const timeNs = parseTimeNs(textOf(header.time));
  if (timeNs === undefined) return undefined;
  const version = objectOf(header.version);
  const parent = objectOf(header.last_block_id);
  const parts = objectOf(parent.parts ?? parent.part_set_header);
  const partsTotal = Number(parts.total ?? 0);
  if (!Number.isSafeInteger(partsTotal) || partsTotal < 0) return undefined;
  return {
    blockVersion: textOf(version.block) || '0',
    appVersion: textOf(version.app) || '0',
    chainId: textOf(header.chain_id),
    height: Number(header.height),
    timeNs,
    parentHash: textOf(parent.hash),
    parentPartsTotal: partsTotal,
    parentPartsHash: textOf(parts.hash),
    proposer: textOf(header.proposer_address),
    hashes: HASH_FIELDS.map((field) => textOf(header[field])),
  };
}
