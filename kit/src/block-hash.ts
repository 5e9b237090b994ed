import { hash } from 'node:crypto';

/**
 * The hashes by which CometBFT 0.34 to 0.38 bind a block together: the header's own, that of its txs and that of its
 * results (types/block.go, types/tx.go, types/results.go). All are Merkle roots as in RFC 6962: SHA-256 of 0x00 and a
 * leaf, of 0x01 and two nodes; a node without a sibling moves up as it is. Hashes are latin1 text of 32 chars, which
 * node:crypto gives fastest (0.26 µs against 0.68 µs for a Buffer).
 */

/** The header of a /block answer; hashes are hex, and empty text where there is none. */
export interface HashedHeader {
  /** version.block and version.app; 0 where the node prints none. */
  readonly blockVersion: string;
  readonly appVersion: string;
  readonly chainId: string;
  readonly height: number;
  readonly timeNs: bigint;
  /** last_block_id: its hash, and its parts' total and hash. */
  readonly parentHash: string;
  readonly parentPartsTotal: number;
  readonly parentPartsHash: string;
  readonly proposer: string;
  /** By HASH_FIELDS. */
  readonly hashes: readonly string[];
}

/** The header's plain hashes, in the order of its fields. */
export const HASH_FIELDS = [
  'last_commit_hash',
  'data_hash',
  'validators_hash',
  'next_validators_hash',
  'consensus_hash',
  'app_hash',
  'last_results_hash',
  'evidence_hash',
] as const;

/** What of a tx's result the next header's last_results_hash covers; `data` is base64. */
export interface HashedResult {
  readonly code: number;
  readonly data: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
}

const NODE = Buffer.alloc(65, 1);
const EMPTY_ROOT = hash('sha256', new Uint8Array(0), 'binary');

/** The root over leaves that are hashed already. */
export function merkleRoot(leaves: readonly string[]): string {
  let level = leaves;
  while (level.length > 1) {
    const above: string[] = [];
    const pairs = level.length >> 1;
    for (let i = 0; i < pairs; i++) {
      NODE.write(level[2 * i] as string, 1, 32, 'latin1');
      NODE.write(level[2 * i + 1] as string, 33, 32, 'latin1');
      above.push(hash('sha256', NODE, 'binary'));
    }
    if (level.length % 2 === 1) above.push(level[level.length - 1] as string);
    level = above;
  }
  return level[0] ?? EMPTY_ROOT;
}

const TX_LEAF = Buffer.alloc(33);
/** 0x00, and a BytesValue of 32 bytes. */
const HASH_LEAF = Buffer.from([0x00, 0x0a, 0x20, ...new Uint8Array(32)]);

/** data_hash: over the SHA-256 of each tx. */
export function txsHash(txHashes: readonly Uint8Array[]): string {
  return merkleRoot(
    txHashes.map((txHash) => {
      TX_LEAF.set(txHash, 1);
      return hash('sha256', TX_LEAF, 'binary');
    }),
  );
}

/** last_results_hash of the next header. */
export function resultsHash(results: readonly HashedResult[]): string {
  return merkleRoot(
    results.map(({ code, data, gasWanted, gasUsed }) => {
      LEAF.begin(data.length);
      if (code !== 0) LEAF.tagged(0x08, code);
      if (data !== '') LEAF.bytes(0x12, data, 'base64');
      if (gasWanted !== 0n) LEAF.integer(0x28, gasWanted);
      if (gasUsed !== 0n) LEAF.integer(0x30, gasUsed);
      return LEAF.hash();
    }),
  );
}

/** Hashes of leaves that stay the same from block to block are kept; one for each thread that verifies. */
export class HeaderHasher {
  readonly #texts: string[] = [];
  readonly #leaves: string[] = [];

  /** The block's hash. */
  hash(header: HashedHeader): string {
    const { hashes } = header;
    const leaves: string[] = [
      this.#kept(0, `${header.blockVersion} ${header.appVersion}`, () => {
        if (header.blockVersion !== '0') LEAF.integer(0x08, toInteger(header.blockVersion));
        if (header.appVersion !== '0') LEAF.integer(0x10, toInteger(header.appVersion));
      }),
      this.#kept(1, header.chainId, () => LEAF.bytes(0x0a, header.chainId, 'utf8')),
      leafOf(() => LEAF.tagged(0x08, header.height)),
      leafOf(() => writeTime(header.timeNs)),
      leafOf(() => writeParent(header)),
    ];
    for (let i = 0; i < HASH_FIELDS.length; i++) leaves.push(this.#hex(5 + i, hashes[i] ?? ''));
    leaves.push(this.#hex(13, header.proposer));
    return merkleRoot(leaves);
  }

  #hex(index: number, text: string): string {
    if (text.length === 64) {
      if (this.#texts[index] === text) return this.#leaves[index] as string;
      HASH_LEAF.write(text, 3, 32, 'hex');
      const made = hash('sha256', HASH_LEAF, 'binary');
      this.#texts[index] = text;
      this.#leaves[index] = made;
      return made;
    }
    return this.#kept(index, text, () => {
      if (text !== '') LEAF.bytes(0x0a, text, 'hex');
    });
  }

  #kept(index: number, text: string, write: () => void): string {
    if (this.#texts[index] === text) return this.#leaves[index] as string;
    const made = leafOf(write);
    this.#texts[index] = text;
    this.#leaves[index] = made;
    return made;
  }
}

/** A leaf in the making: 0x00, then protobuf fields. */
class LeafWriter {
  #buffer = Buffer.alloc(4_096);
  #length = 1;

  /** `room` is the length of the text that is to come. */
  begin(room = 0): void {
    if (this.#buffer.length < room + 128) this.#buffer = Buffer.alloc(2 * room + 128);
    this.#length = 1;
  }

  /** An integer from 0 to 2^53. */
  tagged(tag: number, value: number): void {
    this.#buffer[this.#length++] = tag;
    this.#varint(value);
  }

  /** An int64 or uint64. */
  integer(tag: number, value: bigint): void {
    const small = Number(value);
    if (Number.isSafeInteger(small) && small >= 0) {
      this.tagged(tag, small);
      return;
    }
    this.#buffer[this.#length++] = tag;
    let rest = BigInt.asUintN(64, value);
    for (; rest > 0x7fn; rest >>= 7n) this.#buffer[this.#length++] = Number(rest & 0x7fn) | 0x80;
    this.#buffer[this.#length++] = Number(rest);
  }

  bytes(tag: number, text: string, encoding: 'hex' | 'base64' | 'utf8'): void {
    this.#buffer[this.#length++] = tag;
    this.#varint(sizeOf(text, encoding));
    this.#length += this.#buffer.write(text, this.#length, encoding);
  }

  hash(): string {
    return hash('sha256', this.#buffer.subarray(0, this.#length), 'binary');
  }

  #varint(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.#buffer[this.#length++] = (rest % 128) | 0x80;
    this.#buffer[this.#length++] = rest;
  }
}

function toInteger(text: string): bigint {
  return /^\d{1,20}$/.test(text) ? BigInt(text) : 0n;
}

function sizeOf(text: string, encoding: 'hex' | 'base64' | 'utf8'): number {
  if (encoding === 'hex') return text.length >> 1;
  return Buffer.byteLength(text, encoding);
}

const LEAF = new LeafWriter();

function leafOf(write: () => void): string {
  LEAF.begin();
  write();
  return LEAF.hash();
}

const NS_PER_SECOND = 1_000_000_000n;

/** google.protobuf.Timestamp, from 1970 on. */
function writeTime(timeNs: bigint): void {
  const seconds = Number(timeNs / NS_PER_SECOND);
  const nanos = Number(timeNs % NS_PER_SECOND);
  if (seconds !== 0) LEAF.tagged(0x08, seconds);
  if (nanos !== 0) LEAF.tagged(0x10, nanos);
}

/** BlockID: its part set header is always printed, also when empty. */
function writeParent({ parentHash, parentPartsTotal, parentPartsHash }: HashedHeader): void {
  if (parentHash !== '') LEAF.bytes(0x0a, parentHash, 'hex');
  const hashLength = parentPartsHash.length / 2;
  const partsLength =
    (parentPartsTotal === 0 ? 0 : 1 + varintLength(parentPartsTotal)) +
    (hashLength === 0 ? 0 : 2 + hashLength);
  LEAF.tagged(0x12, partsLength);
  if (parentPartsTotal !== 0) LEAF.tagged(0x08, parentPartsTotal);
  if (hashLength !== 0) LEAF.bytes(0x12, parentPartsHash, 'hex');
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) length++;
  return length;
}
