import type { BlockFacts, EventFact, FailedTxFact } from '../../../src/derive/facts.ts';
import { NO_MORE_FACTS } from '../../../src/derive/facts.ts';
import type { Rows } from './versions.ts';

/** Facts that are written by hand, and rows as short lists beside which a test writes what they must be. */

/** `waterfall.EventFunded` with its fields as proto-JSON. */
export type HandEvent = readonly [type: string, fields: Readonly<Record<string, unknown>>];

export interface HandTx {
  readonly code: number;
  readonly rawLog: string;
  readonly msgs: readonly unknown[];
}

export interface HandBlock {
  readonly height: number;
  /** RFC 3339 without a fraction, or nanoseconds. */
  readonly time: string | bigint;
  /** Each in a tx of its own, from index 0. */
  readonly events?: readonly HandEvent[];
  /** Of codespace bridge, behind the events' txs. */
  readonly failed?: readonly HandTx[];
}

export function factsByHand(...blocks: readonly HandBlock[]): BlockFacts[] {
  return blocks.map(({ height, time, events = [], failed = [] }) => ({
    height,
    timeNs: typeof time === 'bigint' ? time : BigInt(Date.parse(time)) * 1_000_000n,
    events: events.map(
      ([type, fields], txIndex): EventFact => ({
        type: `aeva.${type.replace('.', '.v1.')}`,
        txIndex,
        eventIndex: 4,
        txHash: new Uint8Array(32).fill(height),
        decoded: JSON.stringify(fields),
      }),
    ),
    ...NO_MORE_FACTS,
    failedTxs: failed.map(
      ({ code, rawLog, msgs }, i): FailedTxFact => ({
        txIndex: events.length + i,
        txHash: new Uint8Array(32).fill(height),
        code,
        codespace: 'bridge',
        rawLog,
        msgs: JSON.stringify(msgs),
      }),
    ),
  }));
}

/** Columns of a table's rows, numbers as numbers where they are safe ones. */
export function columnsOf(rows: Rows, table: string, ...columns: readonly string[]): readonly unknown[][] {
  return (rows.get(table) ?? []).map((row) =>
    columns.map((name) => {
      const value = row[name];
      return typeof value === 'bigint' && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
    }),
  );
}

/** Height, tx index, field, derived, told. */
export function driftOf(rows: Rows): readonly unknown[][] {
  return columnsOf(rows, 'drift', 'height', 'tx_index', 'field', 'derived', 'told');
}
