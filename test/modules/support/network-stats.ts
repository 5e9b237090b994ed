import { getCreateAddress, Transaction } from 'ethers';
import { canonicalAccount } from 'strata-kit/address';
import type { RecordedApi } from '../../e2e/support/recorded-api.ts';
import { allTxs, type ToldTx } from './told.ts';

/** NetworkStats by brute force, out of lists of txs: nothing of the module's tables is looked at. */

export interface NetworkDayJson {
  readonly day: string;
  readonly transactions: number;
  readonly active_addresses: number;
  readonly swaps: number;
}

export interface NetworkStatsJson {
  readonly indexed_height: number;
  readonly totals: Readonly<Record<string, number | string>>;
  readonly daily: readonly NetworkDayJson[];
}

export interface TookPart {
  readonly account: string;
  readonly height: number;
  readonly day: string;
}

export type ToldEvmTx = ToldTx & { readonly evm: object | null };

export interface AllTxs {
  readonly txs: readonly ToldEvmTx[];
  /** An entry an account and tx that /v1/accounts/{addr}/txs has. */
  readonly tookPart: readonly TookPart[];
}

const DAYS = 14;
const MS_PER_DAY = 86_400_000;

/** Every tx, and of every address that is anywhere in them every tx that the API says it took part in. */
export async function readAllTxs(api: RecordedApi, hrp: string): Promise<AllTxs> {
  const txs = (await allTxs(api)) as ToldEvmTx[];
  const tookPart: TookPart[] = [];
  for (const account of accountsNamedIn(txs, hrp)) {
    for (const { height, block_time } of await accountTxs(api, account)) {
      tookPart.push({ account, height, day: block_time.slice(0, 10) });
    }
  }
  return { txs, tookPart };
}

function accountsNamedIn(txs: readonly ToldEvmTx[], hrp: string): ReadonlySet<string> {
  const text = JSON.stringify(txs);
  const bech32 = new RegExp(`${hrp}1(?:[02-9ac-hj-np-z]{58}|[02-9ac-hj-np-z]{38})(?![02-9ac-hj-np-z])`, 'g');
  const named = [...(text.match(bech32) ?? []), ...(text.match(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g) ?? [])];
  // addresses in topics and in data of calls
  for (const [, hex] of text.matchAll(/0{24}([0-9a-f]{40})(?=[^0-9a-f]|[0-9a-f]{24})/g))
    named.push(`0x${hex}`);
  // the contract that a creation makes stands nowhere in its tx
  for (const { evm, msgs } of txs) {
    const raw = msgs[0]?.raw;
    if (evm === null || typeof raw !== 'string') continue;
    const { from, to, nonce } = Transaction.from(raw);
    if (from !== null && to === null) named.push(getCreateAddress({ from, nonce }));
  }
  return new Set(named.flatMap((name) => canonicalAccount(name.toLowerCase(), hrp) ?? []));
}

async function accountTxs(api: RecordedApi, account: string): Promise<readonly ToldTx[]> {
  const txs: ToldTx[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { txs: ToldTx[]; next_cursor: string | null } = await api.get(
      `/v1/accounts/${account}/txs?limit=100${more}`,
    );
    txs.push(...page.txs);
    cursor = page.next_cursor;
  }
  return txs;
}

/** The days that end on this one, oldest first. */
export function daysUpTo(last: string): string[] {
  return Array.from({ length: DAYS }, (_, i) =>
    new Date(Date.parse(last) - (DAYS - 1 - i) * MS_PER_DAY).toISOString().slice(0, 10),
  );
}

/** Of what took part up to a height: how many accounts there are, and how many of them were active on a day. */
export function partsAt(
  { tookPart }: AllTxs,
  height: number,
): { readonly accounts: number; activeOn(day: string): number } {
  const parts = tookPart.filter((part) => part.height <= height);
  return {
    accounts: new Set(parts.map(({ account }) => account)).size,
    activeOn: (day) => new Set(parts.filter((part) => part.day === day).map(({ account }) => account)).size,
  };
}
