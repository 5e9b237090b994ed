import { CompiledQuery, type Dialect, PostgresDialect } from 'kysely';
import pg from 'pg';

const INT8_OID = 20;

/** Postgres at a URL (`postgres://user:password@host:port/database`), by a pool of so many connections. */
export function postgresDialect(url: string, connections: number): Dialect {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 10_000,
    types: { getTypeParser },
  });
  // a connection that ended while nobody used it: the pool has dropped it, and the next query opens another or says why not
  pool.on('error', () => undefined);
  return new PostgresDialect({
    pool,
    // a server may have it off, and then a commit that it confirmed can be lost
    onCreateConnection: async (connection) => {
      await connection.executeQuery(CompiledQuery.raw('set synchronous_commit to on'));
    },
  });
}

/** pg answers int8 as text, SQLite as a number: a number here, or an error where it would not be exact. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === INT8_OID && format !== 'binary') return toSafeInteger;
  return format === 'binary' ? pg.types.getTypeParser(oid, format) : pg.types.getTypeParser(oid, 'text');
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`the database holds ${text}, beyond 2^53`);
  return value;
}
