import { moduleAccounts, moduleAddress } from '../../app/address.ts';
import type { Context } from '../../app/module.ts';
import { collection, type Reader } from '../../state/state.ts';

/** An account of the chain: made when it is first paid or first signs. */
export interface Account {
  readonly number: bigint;
  /** Of the next tx; of an account of the EVM its nonce. */
  readonly sequence: bigint;
  /** Known once the account has signed. */
  readonly publicKey: PublicKey | undefined;
}

export interface PublicKey {
  /** `/cosmos.crypto.secp256k1.PubKey` or `/cosmos.evm.crypto.v1.ethsecp256k1.PubKey`. */
  readonly typeUrl: string;
  /** 33 bytes, compressed, as hex. */
  readonly key: string;
}

type Accountable = Pick<Context, 'state'>;

/** By bech32 address. */
export const ACCOUNTS = collection<Account>('auth/accounts');
const NEXT_NUMBER = collection<bigint>('auth/next_number');

export function account(reader: Reader, address: string): Account | undefined {
  return reader.get(ACCOUNTS, address);
}

/** The account, made with the next number where there is none. */
export function ensureAccount({ state }: Accountable, address: string): Account {
  const known = state.get(ACCOUNTS, address);
  if (known !== undefined) return known;
  const number = state.get(NEXT_NUMBER, '') ?? 0n;
  const made: Account = { number, sequence: 0n, publicKey: undefined };
  state.set(NEXT_NUMBER, '', number + 1n);
  state.set(ACCOUNTS, address, made);
  return made;
}

export function setSequence(context: Accountable, address: string, sequence: bigint): void {
  context.state.set(ACCOUNTS, address, { ...ensureAccount(context, address), sequence });
}

export function setPublicKey(context: Accountable, address: string, publicKey: PublicKey): void {
  context.state.set(ACCOUNTS, address, { ...ensureAccount(context, address), publicKey });
}

/** The name of a module account, undefined for any other. */
export function moduleNameOf(parameters: Context['parameters'], address: string): string | undefined {
  return moduleAccounts(parameters).find((name) => moduleAddress(parameters, name) === address);
}
