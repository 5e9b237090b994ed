import { GrowingBytes, TableBuilder } from '../core/native.ts';
import { digestSinceMark } from '../core/row-digest.ts';
import type { TableBlock } from '../core/table.ts';
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
  readonly #scratch = new GrowingBytes();

  /** Closes a height: its rows' digest. */
  endHeight(height: number): void {
    const columns = this.#digests.columns;
    columns.height.u64(height);
    columns.digest.fixed(digestSinceMark(this.#hashed, this.#scratch));
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
}
