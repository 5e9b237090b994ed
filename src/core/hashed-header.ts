import { HASH_FIELDS, type HashedHeader } from './block-hash.ts';
import { parseTimeNs } from './time.ts';

type Json = Readonly<Record<string, unknown>>;

/** The fields that a block's hash covers, from the header of a /block answer. Undefined when its time or its parent's part count cannot be read. */
export function readHashedHeader(header: Json): HashedHeader | undefined {
  const timeNs = parseTimeNs(text(header.time));
  if (timeNs === undefined) return undefined;
  const version = object(header.version);
  const parent = object(header.last_block_id);
  const parts = object(parent.parts ?? parent.part_set_header);
  const partsTotal = Number(parts.total ?? 0);
  if (!Number.isSafeInteger(partsTotal) || partsTotal < 0) return undefined;
  return {
    blockVersion: text(version.block) || '0',
    appVersion: text(version.app) || '0',
    chainId: text(header.chain_id),
    height: Number(header.height),
    timeNs,
    parentHash: text(parent.hash),
    parentPartsTotal: partsTotal,
    parentPartsHash: text(parts.hash),
    proposer: text(header.proposer_address),
    hashes: HASH_FIELDS.map((field) => text(header[field])),
  };
}

function object(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
