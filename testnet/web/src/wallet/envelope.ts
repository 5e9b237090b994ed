/**
 * A private key under a passphrase, as it lies in the browser's storage. PBKDF2 makes the AES key: every browser has it
 * built in, beside the page's own thread. The iterations lie in the envelope, so that they can grow.
 */
export interface SealedKey {
  readonly version: 1;
  readonly kdf: 'PBKDF2-SHA-256';
  readonly iterations: number;
  /** Base64 of 16 bytes. */
  readonly salt: string;
  readonly cipher: 'AES-256-GCM';
  /** Base64 of 12 bytes. */
  readonly iv: string;
  /** Base64 of the 33 bytes of the public key, so that a tx is prepared without the passphrase. */
  readonly publicKey: string;
  /** Base64 of the 32 bytes of the private key, encrypted, and the 16 bytes of the tag. */
  readonly box: string;
}

/** OWASP asks for 600,000 (Password Storage Cheat Sheet, 2023). */
export const MIN_ITERATIONS = 600_000;
/** More would hold the browser up for half a minute: an envelope that asks for it is not ours. */
const MAX_ITERATIONS = 20_000_000;

/** Whether this browser can encrypt here: it cannot on a page without TLS, other than one of its own machine. */
export function canSeal(): boolean {
  return globalThis.crypto?.subtle !== undefined;
}

/** Of storage; undefined for what this version did not write. */
export function readSealed(value: unknown): SealedKey | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { version, kdf, iterations, salt, cipher, iv, publicKey, box } = value as Record<string, unknown>;
  if (version !== 1 || kdf !== 'PBKDF2-SHA-256' || cipher !== 'AES-256-GCM') return undefined;
  if (typeof iterations !== 'number' || !Number.isSafeInteger(iterations)) return undefined;
  if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) return undefined;
  if (!isBase64(salt, 16) || !isBase64(iv, 12) || !isBase64(publicKey, 33) || !isBase64(box, 48))
    return undefined;
  return { version, kdf, iterations, salt, cipher, iv, publicKey, box };
}

/** Of so many bytes, by its letters alone: every page loads this, and no library for it. */
function isBase64(value: unknown, byteLength: number): value is string {
  const padding = '='.repeat((3 - (byteLength % 3)) % 3);
  const length = 4 * Math.ceil(byteLength / 3);
  if (typeof value !== 'string' || value.length !== length || !value.endsWith(padding)) return false;
  return /^[A-Za-z0-9+/]+$/.test(value.slice(0, length - padding.length));
}
