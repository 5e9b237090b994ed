import { hash } from 'node:crypto';
import { type HashedHeader, HeaderHasher, merkleRoot, resultsHash, txsHash } from 'strata-kit/block-hash';
import { sha256 } from 'strata-kit/hash';
import type { BlockId, Commit, Header, TxResult, Validator } from './types.ts';
import {
  blockBytes,
  commitSignatureBytes,
  consensusParameterBytes,
  hashText,
  headerHashes,
  validatorBytes,
} from './wire.ts';

/** The hashes that bind blocks together (CometBFT types/block.go, part_set.go, validator_set.go, params.go). */

const PART_BYTES = 65_536;
const hasher = new HeaderHasher();

/** Of nothing: empty lists of txs, results, evidence, signatures. */
export const EMPTY_HASH = hashText(merkleRoot([]));

export function txHash(tx: Uint8Array): string {
  return hash('sha256', tx, 'hex').toUpperCase();
}

export function dataHash(txs: readonly Uint8Array[]): string {
  return hashText(txsHash(txs.map(sha256)));
}

export function hashOfResults(results: readonly TxResult[]): string {
  return hashText(
    resultsHash(
      results.map(({ code, data, gasWanted, gasUsed }) => ({
        code,
        data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
        gasWanted,
        gasUsed,
      })),
    ),
  );
}

/** Of the commit that a block holds; the first block's has no signatures. */
export function commitHash(commit: Commit): string {
  return hashText(merkleRoot(commit.height === 0 ? [] : [leaf(commitSignatureBytes(commit))]));
}

export function validatorsHash(validators: readonly Validator[]): string {
  return hashText(merkleRoot(validators.map((validator) => leaf(validatorBytes(validator)))));
}

export function consensusHash(maxBytes: number, maxGas: number): string {
  return hash('sha256', consensusParameterBytes(maxBytes, maxGas), 'hex').toUpperCase();
}

export function headerHash(header: Header): string {
  return hashText(hasher.hash(toHashed(header)));
}

/** A block's id, and the bytes it takes. */
export function blockIdOf(
  header: Header,
  txs: readonly Uint8Array[],
  lastCommit: Commit,
): { readonly id: BlockId; readonly sizeBytes: number } {
  const bytes = blockBytes(header, txs, lastCommit);
  const leaves: string[] = [];
  for (let at = 0; at < bytes.length; at += PART_BYTES)
    leaves.push(leaf(bytes.subarray(at, at + PART_BYTES)));
  return {
    id: { hash: headerHash(header), partsTotal: leaves.length, partsHash: hashText(merkleRoot(leaves)) },
    sizeBytes: bytes.length,
  };
}

const ZERO = Uint8Array.of(0);

function leaf(bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([ZERO, bytes]), 'binary');
}

function toHashed(header: Header): HashedHeader {
  return {
    blockVersion: String(header.blockVersion),
    appVersion: String(header.appVersion),
    chainId: header.chainId,
    height: header.height,
    timeNs: header.timeNs,
    parentHash: header.lastBlockId.hash,
    parentPartsTotal: header.lastBlockId.partsTotal,
    parentPartsHash: header.lastBlockId.partsHash,
    proposer: header.proposerAddress,
    hashes: headerHashes(header),
  };
}
