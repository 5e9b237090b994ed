import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

// its types speak of a default export, which a CommonJS module does not have
const canonicalText = canonicalize as unknown as (value: unknown) => string | undefined;

/** What an issuer wrote; whatever else stands in an answer is not hashed. */
export interface WrittenDocument {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly template: string;
  readonly logo?: string;
}

/**
 * What the chain's meta_hash of this document must be: SHA-256 of its canonical JSON (RFC 8785) with the fields that its
 * issuer wrote, which the launchpad's notice is not (answers.md, "Launchpad and desk"). 64 lower-case hex digits.
 */
export function documentHash({ description, logo, name, symbol, template }: WrittenDocument): string {
  const written = { description, name, symbol, template, ...(logo === undefined ? {} : { logo }) };
  return bytesToHex(sha256(utf8ToBytes(canonicalText(written) ?? '')));
}
