import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from 'kysely';
import Database from 'libsql';
import { makePrivateFile } from 'strata-kit/private-file';

/** How long a statement waits for another process that writes (two starts at once), before it fails. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * SQLite in a file, by one connection. A commit is on the disk when it resolves (WAL, synchronous=FULL): what the desk has
 * written before it broadcasts is there after a SIGKILL and after a power loss.
 */
export function sqliteDialect(path: string): Dialect {
  makePrivateFile(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON']) {
    database.exec(`PRAGMA ${setting}`);
  }
  const config = { database };
  const dialect = new SqliteDialect(config);
  return {
    createDriver: () => new ImmediateDriver(config),
    createAdapter: () => new TransactionalAdapter(),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/**
 * Transactions take the write lock when they begin. A transaction that reads and then writes would otherwise fail at its
 * write, without waiting, when another process wrote in between.
 */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
  }
}

/** SQLite rolls back schema changes, so that migrations run in one transaction, whose lock keeps a second start out. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}
