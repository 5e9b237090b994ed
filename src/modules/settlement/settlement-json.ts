import { jsonWithId } from '../record-json.ts';
import type { SettlementRecord } from './settlements-read.ts';

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['STATUS_SETTLED', 'settled'],
  ['STATUS_CANCELLED', 'cancelled'],
  ['STATUS_EXPIRED', 'expired'],
]);

/** JSON text of Settlement of api.md, with its timeline where asked for. Legs stand in it as they are stored. */
export function settlementJson(settlement: SettlementRecord, withTimeline = false): string {
  const { id, proposer, counterparty, legs, expiry, status } = settlement;
  const parties = jsonWithId(id, { proposer, counterparty }).slice(0, -1);
  const rest = {
    expiry,
    status,
    memo_hash: settlement.memoHash,
    cancel_reason: settlement.cancelReason,
    created_height: settlement.createdHeight,
    created_tx_hash: settlement.createdTxHash,
    created_at: settlement.createdAt,
    updated_height: settlement.updatedHeight,
    ...(withTimeline ? { timeline: timelineOf(settlement) } : {}),
  };
  return `${parties},"legs":${legs},${JSON.stringify(rest).slice(1)}`;
}

function timelineOf({ createdHeight, createdAt, createdTxHash, proposer, status, end }: SettlementRecord) {
  const proposed = {
    event: 'proposed',
    height: createdHeight,
    block_time: createdAt,
    tx_hash: createdTxHash,
    actor: proposer,
  };
  if (end === undefined) return [proposed];
  const { height, blockTime, txHash, actor } = end;
  return [proposed, { event: EVENTS.get(status), height, block_time: blockTime, tx_hash: txHash, actor }];
}
