import { goJson } from 'strata-kit/rpc/go-json';
import type { BlockEvents } from 'strata-kit/rpc/node';
import { socketEvent, tagsOf } from 'strata-kit/rpc/socket-event';
import type { HeightTexts } from './chain.ts';

interface EventJson {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[] | null;
}

/** NewBlock in the node's key order, from the recorded texts; a replay has no other event. */
export function newBlockEvents(texts: HeightTexts): BlockEvents {
  return (name) => (name === 'NewBlock' ? [newBlock(texts)] : []);
}

function newBlock(texts: HeightTexts): ReturnType<typeof socketEvent> {
  const block = texts.block.toString('utf8');
  const results = JSON.parse(texts.results.toString('utf8')) as {
    txs_results: unknown;
    finalize_block_events: readonly EventJson[] | null;
    validator_updates: unknown;
    consensus_param_updates: unknown;
    app_hash: unknown;
  };
  const events = results.finalize_block_events ?? [];
  const finalized = goJson({
    ...(results.txs_results === null ? {} : { tx_results: results.txs_results }),
    events,
    validator_updates: results.validator_updates ?? [],
    consensus_param_updates: results.consensus_param_updates,
    app_hash: results.app_hash,
  });
  // the result of /block is {"block_id":…,"block":…}; the event has them the other way round
  const inner = block.slice(block.indexOf(',"block":') + 1, -1);
  const blockId = block.slice(1, block.indexOf(',"block":'));
  const tags = tagsOf(
    'NewBlock',
    events.map(({ type, attributes }) => ({
      type,
      attributes: (attributes ?? []).map(({ key, value }) => [key, value] as const),
    })),
  );
  return socketEvent('NewBlock', `{${inner},${blockId},"result_finalize_block":${finalized}}`, tags);
}
