/** The port between Strata and ClickHouse, whether embedded (chDB) or a server. */

/** Rows in ClickHouse's RowBinary format; src/core/rowbinary.ts reads them. */
export type RowBinary = Uint8Array;

export interface QueryOptions {
  /** The engine stops the query after this many seconds (max_execution_time in the SQL). */
  readonly timeoutSeconds?: number;
}

export interface Store {
  readonly name: string;
  /** Runs a SELECT; the SQL carries no FORMAT and no SETTINGS clause. Errors: store_query_failed, store_unreachable. */
  query(sql: string, options?: QueryOptions): Promise<RowBinary>;
  /** Runs a statement that returns nothing. */
  command(sql: string): Promise<void>;
  /**
   * Inserts files in ClickHouse's Native format as one INSERT. The files' blocks name their columns; the
   * insert is by name. Each path is absolute and readable by this process.
   */
  insertNativeFiles(table: string, columns: readonly string[], paths: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens independent sessions on one store: the writer has its own, readers have others. */
export interface StoreFactory {
  readonly name: string;
  open(session: string): Promise<Store>;
  /** No other process writes into the store while it is open: a lock of the operating system holds it. */
  readonly isExclusive: boolean;
  /** Folder for the writer's Native files. */
  readonly spoolFolder: string;
  close(): Promise<void>;
}
