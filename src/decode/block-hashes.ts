import {
  HASH_FIELDS,
  type HashedHeader,
  type HashedResult,
  HeaderHasher,
  resultsHash,
  txsHash,
} from 'strata-kit/block-hash';
import { bytesToLatin1 } from 'strata-kit/bytes';
import type { BlockHeader } from './range.ts';

const DATA_HASH = HASH_FIELDS.indexOf('data_hash');
const LAST_RESULTS_HASH = HASH_FIELDS.indexOf('last_results_hash');
const APP_HASH = HASH_FIELDS.indexOf('app_hash');
/** Where block_results ends with its app_hash, as nodes print it. */
const TAIL_BYTES = 64;

export type BlockHashes = Pick<
  BlockHeader,
  'isHashRight' | 'ownHash' | 'resultsHash' | 'lastResultsHash' | 'resultsAppHash' | 'appHash'
>;

/** Of a block that nobody wants to verify. */
export const UNVERIFIED: BlockHashes = {
  isHashRight: true,
  ownHash: '',
  resultsHash: '',
  lastResultsHash: '',
  resultsAppHash: '',
  appHash: '',
};

export interface HashedBlock {
  /** As it is told. */
  readonly hash: string;
  readonly header: HashedHeader;
  readonly txHashes: readonly Uint8Array[];
  readonly txResults: readonly HashedResult[];
  /** The bytes of block_results. */
  readonly results: Uint8Array;
}

/**
 * Holds blocks against their own hashes: the header's fields and the txs against the block's, and what the results
 * come to, for the next header to confirm. Events and logs are covered by no hash; the app's hash in the results
 * tells at least whether they are of this height.
 */
export class BlockHasher {
  readonly #headers = new HeaderHasher();

  check({ hash, header, txHashes, txResults, results }: HashedBlock): BlockHashes {
    const { hashes } = header;
    const ownHash = hex(this.#headers.hash(header));
    return {
      isHashRight: ownHash === hash && hashes[DATA_HASH] === hex(txsHash(txHashes)),
      ownHash,
      resultsHash: hex(resultsHash(txResults)),
      lastResultsHash: hashes[LAST_RESULTS_HASH] ?? '',
      resultsAppHash: readAppHash(results),
      appHash: hashes[APP_HASH] ?? '',
    };
  }
}

function readAppHash(results: Uint8Array): string {
  const end = bytesToLatin1(results.subarray(-TAIL_BYTES));
  const tail = /"app_hash":"([A-Za-z0-9+/=]*)"\}$/.exec(end);
  if (tail !== null) return base64ToHex(tail[1] ?? '');
  // in another layout the key may stand anywhere, and any char be escaped; inside a string its quotes would be
  const found = /"app_hash"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(bytesToLatin1(results))?.[1];
  return found === undefined ? '' : base64ToHex(String(JSON.parse(found)));
}

function base64ToHex(text: string): string {
  return Buffer.from(text, 'base64').toString('hex').toUpperCase();
}

function hex(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('hex').toUpperCase();
}
