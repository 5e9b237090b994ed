import { referenceAccounts } from '../../reference/accounts.ts';
import { referenceTx } from '../../reference/txs.ts';
import { labelledAccounts } from '../../support/oracle.ts';
import { hexFormOf } from './expected.ts';

/** Requests about the recorded chain's first 120 heights, for tests of what surrounds them. */

export const HEAD = 120;
export const account = labelledAccounts()[0]?.bech32 ?? '';
export const hexAccount = hexFormOf(account) ?? '';
export const { hash } = referenceTx(32, 0);
export const ethHash = referenceTx(32, 0).evm?.eth_hash ?? '';
export const METHOD = '/cosmos.bank.v1beta1.MsgSend';

/** A request to each served route that finds something. */
export const FOUND: Readonly<Record<string, string>> = {
  '/openapi.yaml': '/openapi.yaml',
  '/v1/status': '/v1/status',
  '/v1/stats': '/v1/stats?limit=3',
  '/v1/blocks': '/v1/blocks?limit=3',
  '/v1/blocks/{height}': '/v1/blocks/61',
  '/v1/txs': `/v1/txs?limit=3&method=${METHOD}`,
  '/v1/txs/{hash}': `/v1/txs/${ethHash}`,
  '/v1/accounts/{addr}/txs': `/v1/accounts/${account}/txs?limit=3`,
  '/v1/lookup/{q}': `/v1/lookup/${account}`,
};

/** Two accounts with at least so many txs of METHOD. */
export function accountsThatSend(count: number): readonly [string, string] {
  const busy = [...referenceAccounts()].filter(
    ([, rows]) => rows.filter((row) => row.height <= HEAD && row.method === METHOD).length >= count,
  );
  const [first, second] = busy.map(([found]) => found);
  if (first === undefined || second === undefined) throw new Error('too few accounts');
  return [first, second];
}
