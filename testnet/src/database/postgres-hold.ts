import pg from 'pg';
import type { Logger } from 'pino';
import type { Clock } from 'strata-kit/clock';
import type { StrataError } from 'strata-kit/errors';
import type { Hold } from 'strata-kit/hold';

/** A session that has the lock. */
export interface Session {
  /** False once it has ended, or has not answered. */
  isHeld(): boolean;
  /** Asks whether it is there. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresHoldOptions {
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  /** Undefined: another session has the lock. */
  readonly open?: (url: string) => Promise<Session | undefined>;
}

/** Of a lock of this meaning, in one database; any number that nobody else takes. */
const KEY = '7310589324561180019';
const BEAT_MS = 5_000;
/** Of a connection, and of an answer. */
const ANSWER_MS = 2_000;
/** A server ends a session that is silent after 25 s: by then this process has long taken it for ended. */
const KEEPALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3';
/** One of its own that the server does not know to be dead is outlived so. */
const GHOST_MS = 30_000;

/** An advisory lock, by a session of its own. Errors: `taken`; those of the connection. */
export async function holdPostgres(
  url: string,
  taken: () => StrataError,
  { clock, log, open = openSession }: PostgresHoldOptions,
): Promise<Hold> {
  const first = await open(url);
  if (first === undefined) throw taken();
  let session = first;
  let lostAtMs: number | undefined;

  async function again(): Promise<void> {
    if (lostAtMs === undefined) {
      lostAtMs = clock.nowMs();
      log.warn(
        'the session that keeps the database for this desk has ended: the desk rests until there is another',
      );
    }
    let next: Session | undefined;
    try {
      next = await open(url);
    } catch {
      // a server that is not there has no other desk either; who needs the database hears of it
      lostAtMs = clock.nowMs();
      return;
    }
    if (next !== undefined) {
      session = next;
      lostAtMs = undefined;
      log.info('the database is kept for this desk again');
    } else if (clock.nowMs() - lostAtMs >= GHOST_MS) {
      throw taken();
    }
  }

  return {
    isHeld: () => session.isHeld(),
    async keep(signal) {
      while (!signal.aborted) {
        await session.look();
        if (!session.isHeld()) await again();
        await clock.sleep(BEAT_MS, signal);
      }
    },
    release: () => session.close(),
  };
}

/** Errors: those of the connection. */
async function openSession(url: string): Promise<Session | undefined> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  let isHeld = false;
  // what failed is told by the query that fails, or by the end
  client.on('error', () => undefined);
  client.on('end', () => {
    isHeld = false;
  });
  const close = async (): Promise<void> => {
    isHeld = false;
    await client.end();
  };
  await client.connect();
  try {
    await client.query(KEEPALIVE);
    const { rows } = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [KEY]);
    isHeld = rows[0]?.held === true;
  } catch (error) {
    await close();
    throw error;
  }
  if (!isHeld) {
    await close();
    return undefined;
  }
  return {
    isHeld: () => isHeld,
    async look() {
      if (!isHeld) return;
      try {
        await client.query('select 1');
      } catch {
        // nobody waits for a server that is silent
        close().catch(() => undefined);
      }
    },
    close,
  };
}
