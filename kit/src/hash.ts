import { createHash, createHmac, hash } from 'node:crypto';
import { createRequire } from 'node:module';
import type HashWasm from 'hash-wasm';

// the file of Keccak alone: the package's index takes 40 ms to load, this one 3
const { createKeccak } = createRequire(import.meta.url)('hash-wasm/dist/keccak.umd.min.js') as Pick<
  typeof HashWasm,
  'createKeccak'
>;
const keccak = await createKeccak(256);

/** SHA-256, 32 bytes (node:crypto, ten times as fast as a JavaScript one). */
export function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash('sha256', bytes, 'binary'), 'latin1');
}

export function sha256Stream(): { update(bytes: Uint8Array): void; digest(): Uint8Array } {
  const hash = createHash('sha256');
  return {
    update: (bytes) => {
      hash.update(bytes);
    },
    digest: () => hash.digest(),
  };
}

export function hmacSha256(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  return createHmac('sha256', key).update(bytes).digest();
}

/** Keccak-256 as Ethereum uses it, 32 bytes (WebAssembly, nine times as fast as JavaScript: docs/decisions/0033-chain-evm.md). */
export function keccak256(bytes: Uint8Array): Uint8Array {
  return keccak.init().update(bytes).digest('binary');
}
