import { decodeBech32, encodeBech32 } from 'strata-kit/address';
import { concatBytes, utf8ToBytes } from 'strata-kit/bytes';
import { sdkError } from 'strata-kit/chain-error';
import { sha256 } from 'strata-kit/hash';
import type { ChainParameters } from './parameters.ts';

/** The module accounts of every chain. Their addresses are the first 20 bytes of the SHA-256 of their names. */
const MODULE_ACCOUNTS = ['bridge', 'evm', 'fee_collector', 'payout', 'settlement', 'waterfall'] as const;

/** With the one that backs fractions of the gas token where the bank's coin has 6 decimals. */
export function moduleAccounts({ gasDecimals }: Pick<ChainParameters, 'gasDecimals'>): readonly string[] {
  return gasDecimals === 18 ? MODULE_ACCOUNTS : [...MODULE_ACCOUNTS, 'precisebank'];
}

const moduleAddresses = new Map<string, string>();

/** The bech32 address of a module account. */
export function moduleAddress({ hrp }: Pick<ChainParameters, 'hrp'>, name: string): string {
  const key = `${hrp} ${name}`;
  let address = moduleAddresses.get(key);
  if (address === undefined) {
    address = encodeBech32(hrp, sha256(utf8ToBytes(name)).subarray(0, 20));
    moduleAddresses.set(key, address);
  }
  return address;
}

/** ADR-028 of the Cosmos SDK: an account of 32 bytes that a module derives from a key, such as an escrow. */
export function derivedModuleAddress(name: string, key: Uint8Array): Uint8Array {
  const type = sha256(utf8ToBytes('module'));
  return sha256(concatBytes([type, utf8ToBytes(name), Uint8Array.of(0), key]));
}

/**
 * The bytes of an account (20, or 32 when derived). Errors: sdk/7 for anything that is no bech32 of this chain, worded
 * with `what`, such as `from address`.
 */
export function requireAddress(
  { hrp }: Pick<ChainParameters, 'hrp'>,
  text: string,
  what: string,
): Uint8Array {
  const refuse = (reason: string) =>
    sdkError('invalidAddress', `invalid ${what}: ${reason}: invalid address`);
  if (text === '') throw refuse('empty address string is not allowed');
  const decoded = decodeBech32(text);
  if (decoded === undefined) throw refuse('decoding bech32 failed');
  if (decoded.hrp !== hrp) throw refuse(`invalid Bech32 prefix; expected ${hrp}, got ${decoded.hrp}`);
  if (decoded.bytes.length !== 20 && decoded.bytes.length !== 32)
    throw refuse(`address length must be 20 or 32 bytes, got ${decoded.bytes.length}`);
  // an upper-case bech32 is valid and would be another text for the same account
  if (text !== text.toLowerCase()) throw refuse('upper case is not allowed');
  return decoded.bytes;
}
