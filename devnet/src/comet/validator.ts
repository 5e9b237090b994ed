import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { bytesToHex, concatBytes, utf8ToBytes } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import type { BlockId, Commit, Validator } from './types.ts';
import { voteSignBytes } from './wire.ts';

/** PKCS #8 of an Ed25519 key up to its 32 bytes (RFC 8410). */
const PKCS8_PREFIX = Uint8Array.of(0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20);
const POWER = 1_000;

export interface Signer {
  readonly validator: Validator;
  /** The precommit for a block; its time is the next block's. */
  commit(chainId: string, height: number, blockId: BlockId, timeNs: bigint): Commit;
}

/** The chain's one validator, whose key the seed gives. */
export function createSigner(seed: number): Signer {
  const secret = sha256(utf8ToBytes(`strata devnet validator ${seed}`));
  const privateKey = createPrivateKey({
    key: Buffer.from(concatBytes([PKCS8_PREFIX, secret])),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = new Uint8Array(
    createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32),
  );
  const address = bytesToHex(sha256(publicKey).subarray(0, 20)).toUpperCase();
  return {
    validator: { address, publicKey, power: POWER },
    commit: (chainId, height, blockId, timeNs) => ({
      height,
      blockId,
      validatorAddress: address,
      timeNs,
      signature: new Uint8Array(sign(null, voteSignBytes(chainId, height, blockId, timeNs), privateKey)),
    }),
  };
}

/** What the first block holds in place of a commit. */
export const NO_COMMIT: Commit = {
  height: 0,
  blockId: { hash: '', partsTotal: 0, partsHash: '' },
  validatorAddress: '',
  timeNs: 0n,
  signature: new Uint8Array(0),
};
