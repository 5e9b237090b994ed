import { sha256 } from '../core/hash.ts';
import { TableBuilder } from '../core/native.ts';
import {
  ACCOUNT_MENTIONS,
  ACCOUNT_TXS,
  BLOCKS,
  EVENTS,
  EVM_LOGS,
  EVM_TXS,
  HEIGHT_DIGESTS,
  TRANSFERS,
  TX_HASHES,
  TXS,
  TYPED_EVENTS,
} from '../core/tables.ts';
import type { TableBlock } from './range.ts';

/** One builder a table. Appending to them is the only way rows come into being. */
export class RangeTables {
  readonly blocks = new TableBuilder(BLOCKS);
  readonly txs = new TableBuilder(TXS);
  readonly txHashes = new TableBuilder(TX_HASHES);
  readonly accountTxs = new TableBuilder(ACCOUNT_TXS);
  readonly accountMentions = new TableBuilder(ACCOUNT_MENTIONS);
  readonly events = new TableBuilder(EVENTS);
  readonly typedEvents = new TableBuilder(TYPED_EVENTS);
  readonly transfers = new TableBuilder(TRANSFERS);
  readonly evmTxs = new TableBuilder(EVM_TXS);
  readonly evmLogs = new TableBuilder(EVM_LOGS);
  readonly #digests = new TableBuilder(HEIGHT_DIGESTS);
  /** In the order of DECODED_TABLES, without the digests. */
  readonly #hashed: readonly TableBuilder[] = [
    this.blocks,
    this.txs,
    this.txHashes,
    this.accountTxs,
    this.accountMentions,
    this.events,
    this.typedEvents,
    this.transfers,
    this.evmTxs,
    this.evmLogs,
  ];
  #scratch = Buffer.allocUnsafe(1 << 16);
  #scratchLength = 0;

  /**
   * Closes a height: one SHA-256 over its rows. The encoding is, table by table, the row count as u64 LE, then each
   * column's values as Native holds them (array lengths as u32 before them). It depends on the rows alone.
   */
  endHeight(height: number): void {
    this.#scratchLength = 0;
    for (const table of this.#hashed) {
      const at = this.#reserve(8);
      this.#scratch.writeBigUInt64LE(BigInt(table.takeRowsSinceMark()), at);
      for (const column of table.list) column.takeSinceMark(this.#append);
    }
    const columns = this.#digests.columns;
    columns.height.u64(height);
    columns.digest.fixed(sha256(this.#scratch.subarray(0, this.#scratchLength)));
    this.#digests.rows++;
  }

  /** The tables that have rows as Native blocks; the builders are empty afterwards. */
  finish(): TableBlock[] {
    const blocks: TableBlock[] = [];
    for (const table of [...this.#hashed, this.#digests]) {
      const rows = table.rows;
      if (rows > 0) blocks.push({ table: table.spec.name, rows, native: table.finish() });
      else table.reset();
    }
    return blocks;
  }

  /** Drops what has been appended since the last endHeight. */
  dropHeight(): void {
    for (const table of this.#hashed) table.rollBackToMark();
  }

  /** Drops what a range that failed half-way has appended. */
  reset(): void {
    for (const table of [...this.#hashed, this.#digests]) table.reset();
  }

  readonly #append = (source: Buffer, from: number, to: number): void => {
    const at = this.#reserve(to - from);
    source.copy(this.#scratch, at, from, to);
  };

  #reserve(count: number): number {
    const at = this.#scratchLength;
    if (at + count > this.#scratch.length) {
      const grown = Buffer.allocUnsafe(Math.max(at + count, this.#scratch.length * 2));
      this.#scratch.copy(grown, 0, 0, at);
      this.#scratch = grown;
    }
    this.#scratchLength = at + count;
    return at;
  }
}
