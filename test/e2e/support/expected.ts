import { isDeepStrictEqual } from 'node:util';
import { bech32 } from '@scure/base';
import { getAddress } from 'ethers';
import { expect } from 'vitest';
import { type RefBlock, type RefTx, referenceTxs } from '../../reference/txs.ts';

/** What the reference says, in the shape in which api.md has the API print it. */

export interface ApiTx {
  readonly hash: string;
  readonly height: number;
  readonly tx_index: number;
  readonly code: number;
  readonly codespace: string;
  readonly msgs: readonly { readonly '@type': string }[];
  readonly evm: {
    readonly eth_hash: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: { readonly denom: string; readonly amount: string };
    readonly status: number;
    readonly revert_reason: string | null;
  } | null;
  readonly events: readonly ApiEvent[];
}

export interface ApiEvent {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

export interface TxPage {
  readonly txs: readonly ApiTx[];
  readonly total: number;
  readonly next_cursor: string | null;
  readonly prev_cursor: string | null;
  readonly last_cursor: string | null;
  readonly methods: readonly { readonly method: string; readonly count: number }[];
}

export interface BlockAnswer {
  readonly block: Omit<RefBlock, 'events'>;
  readonly txs: readonly ApiTx[];
  readonly events: readonly ApiEvent[];
}

/** The Tx of api.md. No module derives the recorded chain's events, so none is applied. */
export function expectedTx(tx: RefTx): Record<string, unknown> {
  return {
    hash: tx.hash,
    height: tx.height,
    tx_index: tx.txIndex,
    code: tx.code,
    codespace: tx.codespace,
    ...(tx.code === 0 ? {} : { raw_log: tx.rawLog }),
    gas_wanted: tx.gasWanted,
    gas_used: tx.gasUsed,
    msgs: tx.msgs,
    fee: tx.fee,
    block_time: tx.blockTime,
    evm: tx.evm,
    events: tx.events.map((event) => ({ ...event, applied: false })),
  };
}

export function expectedBlock(block: RefBlock): Record<string, unknown> {
  const { events, ...fields } = block;
  return {
    block: fields,
    txs: (txsByHeight().get(block.height) ?? []).map(expectedTx),
    events: events.map((event) => ({ ...event, applied: false })),
  };
}

/** Fails with a readable difference; equal values, of which there are tens of thousands, cost little. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, what).toEqual(expected);
}

const knownTexts = new Map<string, string>();

/** A page's txs against the reference's, each whole. */
export function expectTxs(actual: readonly ApiTx[], expected: readonly RefTx[], what: string): void {
  expect(actual.map(keyOf), what).toEqual(expected.map(refKeyOf));
  for (const [i, tx] of actual.entries()) {
    const key = keyOf(tx);
    const text = JSON.stringify(tx);
    if (knownTexts.get(key) === text) continue;
    expectSame(tx, expectedTx(expected[i] as RefTx), `${what} ${key}`);
    knownTexts.set(key, text);
  }
}

export const keyOf = (tx: ApiTx): string => `${tx.height}/${tx.tx_index}`;
export const refKeyOf = (tx: RefTx): string => `${tx.height}/${tx.txIndex}`;

/** The EIP-55 form of a bech32 account; null for a key of 32 bytes. */
export function hexFormOf(account: string): string | null {
  const bytes = bech32.fromWords(bech32.decode(account as `${string}1${string}`).words);
  return bytes.length === 20 ? getAddress(`0x${Buffer.from(bytes).toString('hex')}`) : null;
}

let byHeight: ReadonlyMap<number, readonly RefTx[]> | undefined;
function txsByHeight(): ReadonlyMap<number, readonly RefTx[]> {
  if (byHeight !== undefined) return byHeight;
  const found = new Map<number, RefTx[]>();
  for (const tx of referenceTxs()) {
    const held = found.get(tx.height);
    if (held === undefined) found.set(tx.height, [tx]);
    else held.push(tx);
  }
  byHeight = found;
  return found;
}
