import { base64 } from '@scure/base';
import type { SealedKey } from './envelope.ts';
import type { WalletAccount } from './wallet.ts';

/** What is told of a key without the passphrase. The tag covers it: nobody swaps it for that of another key. */
export type KeyHeader = Pick<WalletAccount, 'address' | 'evmAddress'> & { readonly chainId: string };

export const ITERATIONS = 1_000_000;
const MIN_LENGTH = 10;
const MAX_LENGTH = 1_000;

/** Why a passphrase will not do; undefined where it will. */
export function passphraseError(passphrase: string): string | undefined {
  const length = [...passphrase].length;
  if (length < MIN_LENGTH) return `Use at least ${MIN_LENGTH} characters: a few words are easy to remember.`;
  return length > MAX_LENGTH ? `Use at most ${MAX_LENGTH} characters.` : undefined;
}

/**
 * Encrypts 32 bytes and opens them again before it answers, so that no caller gives the key away for a box that does not
 * open. Errors: DOMException of WebCrypto, Error where what was sealed does not open.
 */
export async function sealKey(
  secret: Uint8Array,
  publicKey: Uint8Array,
  header: KeyHeader,
  passphrase: string,
  iterations = ITERATIONS,
): Promise<SealedKey> {
  const unsealed = {
    version: 1,
    kdf: 'PBKDF2-SHA-256',
    iterations,
    salt: base64.encode(crypto.getRandomValues(new Uint8Array(16))),
    cipher: 'AES-256-GCM',
    iv: base64.encode(crypto.getRandomValues(new Uint8Array(12))),
    publicKey: base64.encode(publicKey),
  } as const;
  const key = await keyOf(passphrase, unsealed);
  const box = await crypto.subtle.encrypt(
    parametersOf(unsealed, header),
    key,
    secret as Uint8Array<ArrayBuffer>,
  );
  const sealed = { ...unsealed, box: base64.encode(new Uint8Array(box)) };
  const opened = await openKey(sealed, header, passphrase);
  if (opened === undefined || opened.some((byte, at) => byte !== secret[at]))
    throw new Error('the key that was encrypted does not open');
  return sealed;
}

/** The 32 bytes; undefined where the passphrase is another, or anything of the envelope was changed. */
export async function openKey(
  sealed: SealedKey,
  header: KeyHeader,
  passphrase: string,
): Promise<Uint8Array | undefined> {
  const key = await keyOf(passphrase, sealed);
  try {
    const box = base64.decode(sealed.box) as Uint8Array<ArrayBuffer>;
    return new Uint8Array(await crypto.subtle.decrypt(parametersOf(sealed, header), key, box));
  } catch (error) {
    // the one thing that WebCrypto says of a tag that does not fit
    if (error instanceof DOMException && error.name === 'OperationError') return undefined;
    throw error;
  }
}

async function keyOf(passphrase: string, { salt, iterations }: Pick<SealedKey, 'salt' | 'iterations'>) {
  // the same letters typed on another keyboard are the same passphrase (NIST SP 800-63B, 5.1.1.2)
  const typed = new TextEncoder().encode(passphrase.normalize('NFKC'));
  const material = await crypto.subtle.importKey('raw', typed, 'PBKDF2', false, ['deriveKey']);
  return await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt: base64.decode(salt) as Uint8Array<ArrayBuffer>, iterations },
    material,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  );
}

/** All that is kept beside the box is part of what the tag covers. */
function parametersOf(sealed: Omit<SealedKey, 'box'>, { address, evmAddress, chainId }: KeyHeader) {
  const { version, kdf, iterations, salt, cipher, iv, publicKey } = sealed;
  const covered = [
    'strata.wallet',
    version,
    kdf,
    iterations,
    salt,
    cipher,
    iv,
    publicKey,
    address,
    evmAddress,
    chainId,
  ];
  return {
    name: 'AES-GCM',
    iv: base64.decode(iv) as Uint8Array<ArrayBuffer>,
    additionalData: new TextEncoder().encode(JSON.stringify(covered)),
  };
}
