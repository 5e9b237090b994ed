import type { RecordedApi } from '../../e2e/support/recorded-api.ts';

/** A tx as the API's stateless part answers it. */
export interface ToldTx {
  readonly hash: string;
  readonly height: number;
  readonly tx_index: number;
  readonly code: number;
  readonly codespace: string;
  readonly raw_log?: string;
  readonly block_time: string;
  readonly msgs: readonly { readonly '@type': string; readonly [field: string]: unknown }[];
  readonly events: readonly ToldEvent[];
}

export interface ToldEvent {
  readonly event_index: number;
  readonly type: string;
  readonly decoded: Readonly<Record<string, unknown>> | null;
}

/** Every tx of the chain, newest first. */
export async function allTxs(api: RecordedApi): Promise<ToldTx[]> {
  const txs: ToldTx[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const more: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const page: { txs: ToldTx[]; next_cursor: string | null } = await api.get(`/v1/txs?limit=100${more}`);
    txs.push(...page.txs);
    cursor = page.next_cursor;
  }
  return txs;
}
