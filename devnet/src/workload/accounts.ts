import { ripemd160 } from '@noble/hashes/legacy.js';
import secp256k1 from 'secp256k1';
import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { utf8ToBytes } from 'strata-kit/bytes';
import { keccak256, sha256 } from 'strata-kit/hash';

/**
 * The accounts of the workload. Those that serve the chain have keys of their own that never change, so that their
 * addresses are known; the others' keys come from the seed. Keys are public on purpose: coins here have no value.
 */

/** `cosmos`: secp256k1, address of 20 bytes by RIPEMD-160. `ethereum`: eth_secp256k1, address by Keccak-256. */
export type KeyKind = 'cosmos' | 'ethereum';

export const SERVICES = ['faucet', 'bridge-authority', 'relayer'] as const;
export type Service = (typeof SERVICES)[number];

export const ROLES = [
  'issuer',
  'holder',
  'operator',
  'releaser',
  'attester',
  'delegate',
  'trader',
  'bridge user',
  'liquidator',
] as const;
export type Role = (typeof ROLES)[number];

export interface Account {
  /** `issuer-2`; a service's own name. */
  readonly name: string;
  readonly role: Role | Service;
  readonly kind: KeyKind;
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** 20 bytes. */
  readonly bytes: Uint8Array;
  /** Bech32. */
  readonly address: string;
  /** EIP-55. */
  readonly evmAddress: string;
}

/** How many accounts of each role there are. Those that trade on the EVM have Ethereum keys, the others both in turn. */
const COUNTS: Readonly<Record<Role, number>> = {
  issuer: 8,
  holder: 16,
  operator: 3,
  releaser: 2,
  attester: 4,
  delegate: 3,
  trader: 14,
  'bridge user': 5,
  liquidator: 3,
};

/** A service account: one key whatever the seed. */
export function serviceAccount(name: Service, hrp: string): Account {
  const kind = name === 'faucet' ? 'ethereum' : 'cosmos';
  return createAccount(name, name, kind, sha256(utf8ToBytes(`strata/devnet/service/${name}`)), hrp);
}

/** The seed's accounts, always in the same order. */
export function workloadAccounts(seed: string, hrp: string): readonly Account[] {
  return ROLES.flatMap((role) =>
    Array.from({ length: COUNTS[role] }, (_, i) => {
      const name = `${role.replace(' ', '-')}-${i}`;
      const kind = role === 'trader' || i % 2 === 1 ? 'ethereum' : 'cosmos';
      return createAccount(name, role, kind, sha256(utf8ToBytes(`strata/devnet/seed/${seed}/${name}`)), hrp);
    }),
  );
}

function createAccount(
  name: string,
  role: Role | Service,
  kind: KeyKind,
  privateKey: Uint8Array,
  hrp: string,
): Account {
  const publicKey = secp256k1.publicKeyCreate(privateKey, true);
  const bytes =
    kind === 'cosmos'
      ? ripemd160(sha256(publicKey))
      : keccak256(secp256k1.publicKeyConvert(publicKey, false).subarray(1)).subarray(12);
  return {
    name,
    role,
    kind,
    privateKey,
    publicKey,
    bytes,
    address: encodeBech32(hrp, bytes),
    evmAddress: toChecksumAddress(bytes),
  };
}
