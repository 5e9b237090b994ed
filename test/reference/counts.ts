/** The reference's own sums, in the shape in which oracle/expect.json counted the recording. */

import { referenceBlocks, referenceTxs } from './txs.ts';

export interface RefCounts {
  readonly blocks: number;
  readonly txs: number;
  readonly evm_txs: number;
  readonly events: number;
  readonly zero_tx_blocks: number;
  readonly max_txs_in_a_block: number;
  readonly result_codes: Readonly<Record<string, number>>;
  readonly message_counts: Readonly<Record<string, number>>;
  readonly event_types: Readonly<Record<string, number>>;
}

export function referenceCounts(): RefCounts {
  const blocks = referenceBlocks();
  const txs = referenceTxs();
  const events = [...blocks.flatMap((block) => block.events), ...txs.flatMap((tx) => tx.events)];
  return {
    blocks: blocks.length,
    txs: txs.length,
    evm_txs: txs.filter((tx) => tx.evm !== null).length,
    events: events.length,
    zero_tx_blocks: blocks.filter((block) => block.tx_count === 0).length,
    max_txs_in_a_block: Math.max(...blocks.map((block) => block.tx_count)),
    result_codes: tally(txs.map((tx) => (tx.code === 0 ? '0' : `${tx.codespace}/${tx.code}`))),
    message_counts: tally(txs.flatMap((tx) => tx.msgs.map((message) => message['@type']))),
    event_types: tally(events.map((event) => event.type)),
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
