/** Address forms, written on @scure/base and ethers alone so that nothing here shares a mistake with src/. */

import { bech32 } from '@scure/base';
import { getAddress, getBytes } from 'ethers';
import { abciQueries, HRP } from '../support/oracle.ts';

/** Canonical bech32 of an account, from bech32 (account or validator operator form) or 0x + 40 hex. */
export function accountOf(address: string): string {
  if (/^0x[0-9a-fA-F]{40}$/.test(address)) return bech32.encode(HRP, bech32.toWords(getBytes(address)));
  const { prefix, words } = bech32.decode(address as `${string}1${string}`);
  if (prefix !== HRP && prefix !== `${HRP}valoper`) throw new Error(`${address} is not of this chain`);
  return bech32.encode(HRP, words);
}

/** EIP-55 form of 0x + 40 hex in any case. */
export function checksummed(address: string): string {
  return getAddress(address.toLowerCase());
}

export function isZeroAddress(address: string): boolean {
  return /^0x0{40}$/.test(address);
}

/** The account that an indexed topic names: an address padded on the left to 32 bytes. Undefined for other words. */
export function topicAddress(topic: string | undefined): string | undefined {
  if (topic === undefined || !/^0x0{24}[0-9a-f]{40}$/.test(topic)) return undefined;
  return `0x${topic.slice(26)}`;
}

/**
 * The module accounts of the recorded QueryModuleAccountsResponse, walked by hand: accounts = 1 (Any),
 * Any.value = 2 (ModuleAccount), ModuleAccount.base_account = 1, BaseAccount.address = 1.
 */
export function moduleAccounts(): ReadonlySet<string> {
  const answer = abciQueries().find((query) => query.path === '/cosmos.auth.v1beta1.Query/ModuleAccounts');
  if (answer?.response.value === undefined || answer.response.value === null) throw new Error('not recorded');
  const addresses = new Set<string>();
  for (const any of fields(Buffer.from(answer.response.value, 'base64'), 1)) {
    for (const account of fields(any, 2)) {
      for (const base of fields(account, 1)) {
        for (const address of fields(base, 1)) addresses.add(Buffer.from(address).toString('utf8'));
      }
    }
  }
  return addresses;
}

/** The length-delimited fields of a protobuf message with this number; other numbers and varints are skipped. */
function fields(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message[at++] as number;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    if (tag % 8 === 0) varint();
    else if (tag % 8 === 2) {
      const length = varint();
      if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
      at += length;
    } else throw new Error(`wire type ${tag % 8}`);
  }
  return found;
}
