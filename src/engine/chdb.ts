import { join } from 'node:path';
import { OWNER_ROLE, READER_ROLE } from '../store/engine-config.ts';
import { quote } from '../store/sql.ts';

/** Raw sessions of the embedded engine: any format as bytes, results in pieces, and settings of their own. */

export interface EngineResult {
  readonly bytes: Uint8Array;
  /** Rows read by a SELECT, rows written by an INSERT. */
  readonly rows: number;
}

export interface EngineSession {
  /** Unique in the process; the engine knows the session's running query by it. */
  readonly name: string;
  run(sql: string, format: string): Promise<EngineResult>;
  /** Ends the query when it is left early. */
  stream(sql: string, format: string): AsyncGenerator<Uint8Array>;
  close(): void;
}

/** Of one query of a reader, none of which it may change. */
export interface ReaderLimits {
  readonly memoryBytes: number;
  /** Of its rows, in the engine's own form. */
  readonly resultBytes: number;
  /** Of what it sorts or groups on disk, and of its result where that goes through a file. */
  readonly diskBytes: number;
}

export type Role = 'owner' | 'reader';

export interface Engine {
  /** A session with full rights, or one that the engine itself holds to reading. */
  open(role: Role): Promise<EngineSession>;
  /** Stops what a session runs; nothing to do when it runs nothing. */
  cancel(name: string): Promise<void>;
  close(): Promise<void>;
}

/** `dataFolder` is one that openEmbedded holds open. */
export async function openEngineSessions(dataFolder: string, limits: ReaderLimits): Promise<Engine> {
  const chdb = await import('chdb');
  const path = join(dataFolder, 'engine');
  let opened = 0;
  const readerArguments = [
    '--readonly=2',
    `--max_memory_usage=${limits.memoryBytes}`,
    `--max_result_bytes=${limits.resultBytes}`,
    '--result_overflow_mode=throw',
    `--max_temporary_data_on_disk_size_for_query=${limits.diskBytes}`,
  ];

  async function open(role: Role): Promise<EngineSession> {
    const name = `strata-${process.pid}-${++opened}`;
    const session = new chdb.Session(path, {
      // the embedded engine would take any word for an expression to select
      connectionArgs: [
        `--log_comment=${name}`,
        '--implicit_select=0',
        ...(role === 'reader' ? readerArguments : []),
      ],
    });
    try {
      await session.queryAsync(`SET ROLE ${role === 'reader' ? READER_ROLE : OWNER_ROLE}`);
    } catch (error) {
      session.close();
      throw error;
    }
    return {
      name,
      async run(sql, format) {
        const result = await session.queryAsync(sql, { format });
        return { bytes: result.bytes(), rows: result.rowsRead };
      },
      async *stream(sql, format) {
        for await (const chunk of session.queryStream(sql, { format })) yield chunk.raw();
      },
      close: () => session.close(),
    };
  }

  const killer = await open('owner');
  return {
    open,
    async cancel(name) {
      await killer.run(`KILL QUERY WHERE Settings['log_comment'] = ${quote(name)} ASYNC`, 'Null');
    },
    async close() {
      killer.close();
      await chdb.drainPending();
    },
  };
}

/** The rows of a statement that gives one column of plain texts. */
export async function rowsOf(session: EngineSession, sql: string): Promise<readonly string[]> {
  const { bytes } = await session.run(sql, 'TabSeparated');
  return Buffer.from(bytes).toString('utf8').split('\n').slice(0, -1);
}
