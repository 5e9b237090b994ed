import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address } from '@ethereumjs/util';
import { encodeBech32 } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { account as accountOf, ensureAccount, setSequence } from '../auth/keeper.ts';
import { extendedBalance, setExtendedBalance } from '../precisebank/keeper.ts';
import { clearStorage, codeHashOf, codeOf, setCode, setStorage, storageAt } from './keeper.ts';

/** What an execution stands on. Events and state go back together when a call fails. */
export interface Session extends Pick<Context, 'state' | 'parameters'> {
  /** How many events there are, and back to so many. */
  readonly events: { count(): number; truncate(count: number): void };
  /** Undefined for an address that is no precompile of the chain: the code that callers see there. */
  precompileCode(address: string): Uint8Array | undefined;
}

/**
 * The library's state manager over the chain's state: nonces are auth's sequences, balances those of the gas token with 18 decimals,
 * checkpoints are marks. While a call runs, balances move without the bank's events; `settle` of the machine tells the
 * bank of the difference (balanceChanges).
 */
export interface ChainStateManager extends StateManagerInterface {
  /** Before each execution. */
  begin(session: Session): void;
  /** Accounts whose balance is another now, in the order of their addresses, each put back to what it was. */
  takeBalanceChanges(): readonly { readonly account: string; readonly change: bigint }[];
}

/** Deterministic texts of addresses are asked for again and again. */
const MAX_KNOWN_ADDRESSES = 50_000;

export function createStateManager(): ChainStateManager {
  let session: Session | undefined;
  let marks: { readonly mark: number; readonly events: number }[] = [];
  /** Balances before the first change, by hex address. */
  const balances = new Map<string, bigint>();
  const original = new Map<string, Uint8Array>();
  const bech32 = new Map<string, string>();

  function current(): Session {
    if (session === undefined) throw new Error('the state manager has no session');
    return session;
  }

  function accountText(address: Address, hex: string): string {
    const { hrp } = current().parameters;
    const key = `${hrp}${hex}`;
    let text = bech32.get(key);
    if (text === undefined) {
      if (bech32.size >= MAX_KNOWN_ADDRESSES) bech32.clear();
      text = encodeBech32(hrp, address.bytes);
      bech32.set(key, text);
    }
    return text;
  }

  function getAccount(address: Address): Account | undefined {
    const { state, parameters, precompileCode } = current();
    const hex = bytesToHex(address.bytes);
    const text = accountText(address, hex);
    const known = accountOf(state, text);
    const held = extendedBalance(state, parameters, text);
    const codeHash =
      codeHashOf(state, hex) ?? (precompileCode(hex) === undefined ? undefined : PRECOMPILE_HASH);
    if (known === undefined && held === 0n && codeHash === undefined) return undefined;
    return new Account(known?.sequence ?? 0n, held, undefined, codeHash);
  }

  function putAccount(address: Address, changed: Account): void {
    const context = current();
    const hex = bytesToHex(address.bytes);
    const text = accountText(address, hex);
    const held = extendedBalance(context.state, context.parameters, text);
    if (held !== changed.balance) {
      if (!balances.has(hex)) balances.set(hex, held);
      setExtendedBalance(context, text, changed.balance);
    }
    if ((accountOf(context.state, text)?.sequence ?? 0n) !== changed.nonce)
      setSequence(context, text, changed.nonce);
  }

  const manager: ChainStateManager = {
    begin(next) {
      session = next;
      marks = [];
      balances.clear();
      original.clear();
    },
    takeBalanceChanges() {
      const context = current();
      const { hrp } = context.parameters;
      const changes = [...balances]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([hex, before]) => {
          const text = bech32.get(`${hrp}${hex}`) ?? '';
          const change = extendedBalance(context.state, context.parameters, text) - before;
          setExtendedBalance(context, text, before);
          return { account: text, change };
        })
        .filter(({ change }) => change !== 0n);
      balances.clear();
      return changes;
    },
    getAccount: async (address) => getAccount(address),
    async putAccount(address, changed) {
      if (changed !== undefined) putAccount(address, changed);
    },
    async deleteAccount(address) {
      const { state } = current();
      const hex = bytesToHex(address.bytes);
      putAccount(address, new Account());
      setCode(state, hex, new Uint8Array(0));
      clearStorage(state, hex);
    },
    async modifyAccountFields(address, { nonce, balance: held }: AccountFields) {
      const changed = getAccount(address) ?? new Account();
      if (nonce !== undefined) changed.nonce = nonce;
      if (held !== undefined) changed.balance = held;
      putAccount(address, changed);
    },
    async putCode(address, code) {
      const context = current();
      const hex = bytesToHex(address.bytes);
      ensureAccount(context, accountText(address, hex));
      setCode(context.state, hex, code);
    },
    getCode: async (address) => codeAt(current(), bytesToHex(address.bytes)),
    getCodeSize: async (address) => codeAt(current(), bytesToHex(address.bytes)).length,
    getStorage: async (address, key) =>
      storageAt(current().state, bytesToHex(address.bytes), bytesToHex(key)),
    async putStorage(address, key, value) {
      const { state } = current();
      const [hex, slot] = [bytesToHex(address.bytes), bytesToHex(key)];
      const place = `${hex}/${slot}`;
      if (!original.has(place)) original.set(place, storageAt(state, hex, slot));
      setStorage(state, hex, slot, value);
    },
    async clearStorage(address) {
      clearStorage(current().state, bytesToHex(address.bytes));
    },
    async checkpoint() {
      const { state, events } = current();
      marks.push({ mark: state.mark(), events: events.count() });
    },
    async commit() {
      marks.pop();
    },
    async revert() {
      const { state, events } = current();
      const point = marks.pop();
      if (point === undefined) throw new Error('the EVM goes back without a checkpoint');
      state.revert(point.mark);
      events.truncate(point.events);
    },
    originalStorageCache: {
      async get(address, key) {
        const [hex, slot] = [bytesToHex(address.bytes), bytesToHex(key)];
        return original.get(`${hex}/${slot}`) ?? storageAt(current().state, hex, slot);
      },
      clear: () => original.clear(),
    },
    // the chain's app hash is none of the EVM's business
    getStateRoot: async () => new Uint8Array(32),
    setStateRoot: async () => undefined,
    hasStateRoot: async () => true,
    clearCaches: () => undefined,
    shallowCopy: () => createStateManager(),
  };
  return manager;
}

/**
 * What EXTCODESIZE and eth_getCode find at a precompile (INVALID, which never runs): Solidity refuses to call an address
 * without code.
 */
export const PRECOMPILE_CODE = Uint8Array.of(0xfe);
const PRECOMPILE_HASH = keccak256(PRECOMPILE_CODE);

export function codeAt(
  session: Pick<Session, 'precompileCode'> & { readonly state: Reader },
  address: string,
): Uint8Array {
  return session.precompileCode(address) ?? codeOf(session.state, address);
}
