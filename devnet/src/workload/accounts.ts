import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { type KeyAlgorithm, keyFromSeed } from 'strata-kit/client/keys';

/**
 * The accounts of the workload. Those that serve the chain have keys of their own that never change, so that their
 * addresses are known; the others' keys come from the seed. Keys are public on purpose: coins here have no value.
 */

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
  readonly algorithm: KeyAlgorithm;
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
  const algorithm = name === 'faucet' ? 'eth_secp256k1' : 'secp256k1';
  return createAccount(name, name, algorithm, `strata/devnet/service/${name}`, hrp);
}

/** The seed's accounts, always in the same order. */
export function workloadAccounts(seed: string, hrp: string): readonly Account[] {
  return ROLES.flatMap((role) =>
    Array.from({ length: COUNTS[role] }, (_, i) => {
      const name = `${role.replace(' ', '-')}-${i}`;
      const algorithm = role === 'trader' || i % 2 === 1 ? 'eth_secp256k1' : 'secp256k1';
      return createAccount(name, role, algorithm, `strata/devnet/seed/${seed}/${name}`, hrp);
    }),
  );
}

function createAccount(
  name: string,
  role: Role | Service,
  algorithm: KeyAlgorithm,
  seed: string,
  hrp: string,
): Account {
  const { privateKey, publicKey, address: bytes } = keyFromSeed(algorithm, seed);
  return {
    name,
    role,
    algorithm,
    privateKey,
    publicKey,
    bytes,
    address: encodeBech32(hrp, bytes),
    evmAddress: toChecksumAddress(bytes),
  };
}
