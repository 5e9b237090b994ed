import type { DerivedTable, Table } from '../../../src/core/table.ts';
import type { BlockFacts, EventFact } from '../../../src/derive/facts.ts';
import { NO_MORE_FACTS } from '../../../src/derive/facts.ts';
import type { Rows } from './versions.ts';

/** Blocks as a test writes them down, and the rows that come of them. */

export interface ToldEvent {
  /** Without the namespace: `settlement.v1.EventProposed`. */
  readonly type: string;
  readonly fields: object;
  /** Of an EndBlock rather than a tx. */
  readonly isOfBlock: boolean;
}

/** An event of a tx. */
export function tell(type: string, fields: object): ToldEvent {
  return { type, fields, isOfBlock: false };
}

/** An event of an EndBlock. */
export function tellAtEnd(type: string, fields: object): ToldEvent {
  return { type, fields, isOfBlock: true };
}

/** The tx of block n has the hash n, n, n, …; block n is of second n. */
export function blockOf(height: number, ...events: readonly ToldEvent[]): BlockFacts {
  return {
    height,
    timeNs: BigInt(height) * 1_000_000_000n,
    events: events.map(
      ({ type, fields, isOfBlock }, eventIndex): EventFact => ({
        type: `aeva.${type}`,
        txIndex: isOfBlock ? -1 : 0,
        eventIndex,
        txHash: isOfBlock ? undefined : new Uint8Array(32).fill(height),
        decoded: JSON.stringify(fields),
      }),
    ),
    ...NO_MORE_FACTS,
  };
}

/** The named columns of a table's rows, as texts; bytes are hex. */
export function columnsOf(
  rows: Rows,
  { name }: DerivedTable | Table,
  columns: readonly string[],
): readonly (readonly string[])[] {
  return (rows.get(name) ?? []).map((row) =>
    columns.map((column) => {
      const value = row[column];
      return Buffer.isBuffer(value) ? value.toString('hex') : String(value);
    }),
  );
}
