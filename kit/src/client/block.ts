import { HASH_FIELDS, HeaderHasher, txsHash } from '../block-hash.ts';
import { sha256 } from '../hash.ts';
import { readHashedHeader } from '../hashed-header.ts';

type Fields = Readonly<Record<string, unknown>>;

const DATA_HASH = HASH_FIELDS.indexOf('data_hash');
const headers = new HeaderHasher();

/**
 * The txs of a /block answer; undefined where it is another block, or where its header does not cover these txs or has
 * another hash than the answer says. The hash itself is believed: its signatures are not checked.
 */
export function txsOfBlock({ block, block_id }: Fields, height: number): readonly Uint8Array[] | undefined {
  const { header, data } = fieldsOf(block);
  // null: a block without txs
  const list = fieldsOf(data).txs ?? [];
  if (!Array.isArray(list) || !list.every((tx) => typeof tx === 'string')) return undefined;
  const read = readHashedHeader(fieldsOf(header));
  if (read?.height !== height) return undefined;
  const bytes = list.map((tx) => Buffer.from(tx, 'base64'));
  const isOfHeader = isHash(read.hashes[DATA_HASH], txsHash(bytes.map((tx) => sha256(tx))));
  return isOfHeader && isHash(fieldsOf(block_id).hash, headers.hash(read)) ? bytes : undefined;
}

/** Latin1 text of 32 chars, as block-hash.ts has hashes. */
function isHash(hex: unknown, latin1: string): boolean {
  return hex === Buffer.from(latin1, 'latin1').toString('hex').toUpperCase();
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
