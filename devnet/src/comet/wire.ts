import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import type { BlockId, Commit, Header, Validator } from './types.ts';

/** CometBFT 0.38's protobufs (proto/tendermint/types) of what is hashed and signed, as gogoproto writes them. */

const NS_PER_SECOND = 1_000_000_000n;
const PRECOMMIT = 2;
/** BLOCK_ID_FLAG_COMMIT: the validator signed for the block. */
const SIGNED = 2;

/** A block as it is cut into parts. */
export function blockBytes(header: Header, txs: readonly Uint8Array[], lastCommit: Commit): Uint8Array {
  const writer = new BinaryWriter();
  nested(writer, 1, (w) => writeHeader(w, header));
  nested(writer, 2, (w) => {
    for (const tx of txs) w.tag(1, WireType.LengthDelimited).bytes(tx);
  });
  nested(writer, 3, () => undefined);
  nested(writer, 4, (w) => writeCommit(w, lastCommit));
  return writer.finish();
}

/** CommitSig: what the hash of a commit is over. */
export function commitSignatureBytes(commit: Commit): Uint8Array {
  const writer = new BinaryWriter();
  writeCommitSignature(writer, commit);
  return writer.finish();
}

/** CanonicalVote of a precommit, with its length: what the validator signs. */
export function voteSignBytes(chainId: string, height: number, blockId: BlockId, timeNs: bigint): Uint8Array {
  const vote = new BinaryWriter();
  vote.tag(1, WireType.Varint).int32(PRECOMMIT);
  vote.tag(2, WireType.Bit64).sfixed64(String(height));
  nested(vote, 4, (w) => writeBlockId(w, blockId));
  nested(vote, 5, (w) => writeTime(w, timeNs));
  text(vote, 6, chainId);
  return new BinaryWriter().bytes(vote.finish()).finish();
}

/** SimpleValidator: what validators_hash is over. */
export function validatorBytes({ publicKey, power }: Validator): Uint8Array {
  const writer = new BinaryWriter();
  nested(writer, 1, (w) => w.tag(1, WireType.LengthDelimited).bytes(publicKey));
  writer.tag(2, WireType.Varint).int64(power);
  return writer.finish();
}

/** HashedParams: what consensus_hash is over. */
export function consensusParameterBytes(maxBytes: number, maxGas: number): Uint8Array {
  const writer = new BinaryWriter();
  integer(writer, 1, maxBytes);
  integer(writer, 2, maxGas);
  return writer.finish();
}

function writeHeader(writer: BinaryWriter, header: Header): void {
  nested(writer, 1, (w) => {
    integer(w, 1, header.blockVersion);
    integer(w, 2, header.appVersion);
  });
  text(writer, 2, header.chainId);
  integer(writer, 3, header.height);
  nested(writer, 4, (w) => writeTime(w, header.timeNs));
  nested(writer, 5, (w) => writeBlockId(w, header.lastBlockId));
  const hashes = [...headerHashes(header), header.proposerAddress];
  for (const [i, hash] of hashes.entries()) hex(writer, 6 + i, hash);
}

function writeCommit(writer: BinaryWriter, commit: Commit): void {
  integer(writer, 1, commit.height);
  nested(writer, 3, (w) => writeBlockId(w, commit.blockId));
  if (commit.height > 0) nested(writer, 4, (w) => writeCommitSignature(w, commit));
}

function writeCommitSignature(writer: BinaryWriter, commit: Commit): void {
  writer.tag(1, WireType.Varint).int32(SIGNED);
  hex(writer, 2, commit.validatorAddress);
  nested(writer, 3, (w) => writeTime(w, commit.timeNs));
  writer.tag(4, WireType.LengthDelimited).bytes(commit.signature);
}

function writeBlockId(writer: BinaryWriter, { hash, partsTotal, partsHash }: BlockId): void {
  hex(writer, 1, hash);
  nested(writer, 2, (w) => {
    integer(w, 1, partsTotal);
    hex(w, 2, partsHash);
  });
}

function writeTime(writer: BinaryWriter, timeNs: bigint): void {
  integer(writer, 1, Number(timeNs / NS_PER_SECOND));
  integer(writer, 2, Number(timeNs % NS_PER_SECOND));
}

/** Written also when it is empty, as gogoproto does with a message that is no pointer. */
function nested(writer: BinaryWriter, field: number, write: (writer: BinaryWriter) => void): void {
  writer.tag(field, WireType.LengthDelimited).fork();
  write(writer);
  writer.join();
}

function integer(writer: BinaryWriter, field: number, value: number): void {
  if (value !== 0) writer.tag(field, WireType.Varint).int64(value);
}

function text(writer: BinaryWriter, field: number, value: string): void {
  if (value !== '') writer.tag(field, WireType.LengthDelimited).string(value);
}

function hex(writer: BinaryWriter, field: number, value: string): void {
  if (value === '') return;
  const bytes = hexToBytes(value);
  if (bytes === undefined) throw new Error(`a hash that is no hex: ${value}`);
  writer.tag(field, WireType.LengthDelimited).bytes(bytes);
}

/** A hash of core/block-hash.ts (latin1 text of 32 chars) as CometBFT prints it. */
export function hashText(hash: string): string {
  return bytesToHex(Buffer.from(hash, 'latin1')).toUpperCase();
}

/** The header's plain hashes, in the order of its fields. */
export function headerHashes(header: Header): readonly string[] {
  return [
    header.lastCommitHash,
    header.dataHash,
    header.validatorsHash,
    header.nextValidatorsHash,
    header.consensusHash,
    header.appHash,
    header.lastResultsHash,
    header.evidenceHash,
  ];
}
