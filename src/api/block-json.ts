import { bytesToHex } from 'strata-kit/bytes';
import { formatTimeNs } from 'strata-kit/time';

/** A row of blocks, without its events. */
export interface BlockRow {
  readonly height: number;
  readonly hash: Uint8Array;
  readonly timeNs: bigint;
  readonly proposer: Uint8Array;
  readonly txCount: number;
  readonly eventCount: number;
}

/** A Block as in api.md section 2, in its field order. */
export function blockJson(row: BlockRow): string {
  return (
    `{"height":${row.height},"hash":"${bytesToHex(row.hash).toUpperCase()}","time":"${formatTimeNs(row.timeNs)}",` +
    `"proposer":"${bytesToHex(row.proposer).toUpperCase()}","tx_count":${row.txCount},"event_count":${row.eventCount}}`
  );
}
