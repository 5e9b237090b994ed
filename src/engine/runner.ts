import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { identifier, quote } from '../store/sql.ts';
import type { Answer } from './answer.ts';
import type { Body } from './body.ts';
import type { Engine, EngineSession, Role } from './chdb.ts';
import { failure, toFailure } from './failure.ts';
import { isStreamed } from './formats.ts';
import { createLane, type Lane } from './lanes.ts';
import {
  checkOwnerStatement,
  checkReaderDatabase,
  checkReaderStatement,
  type EngineNames,
} from './reader-policy.ts';
import type { UrlSettings } from './settings.ts';
import { boundFile, sizeOf } from './spool.ts';
import { type DataInsert, type Statement, setsSetting } from './statement.ts';
import { watched } from './watch.ts';

/** Runs statements on sessions of the engine: which session, for how long, and how what they give is sent. */

export interface Run {
  readonly role: Role;
  /** Undefined: the engine's default one. */
  readonly database: string | undefined;
  readonly url: UrlSettings;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

export interface RunnerOptions {
  readonly engine: Engine;
  readonly names: EngineNames;
  /** For the data of inserts and for results whose format cannot be sent in pieces. */
  readonly spoolFolder: string;
  /** Of one such result. */
  readonly maxSpoolBytes: Readonly<Record<Role, number>>;
  readonly deadlineMs: Readonly<Record<Role, number>>;
  readonly limits: LaneLimits;
  /** Of what no answer tells: a query that could not be stopped. */
  readonly reportError: (error: unknown) => void;
}

export interface LaneLimits {
  readonly reads: number;
  readonly readerReads: number;
  readonly writes: number;
  readonly waiting: number;
}

const READ_CHUNK_BYTES = 1 << 18;
const MAX_DATABASE_CHARS = 128;

export interface Runner {
  /** The statement as it may run: a reader's is printed anew by the engine and checked. */
  prepare(sql: string, run: Run): Promise<string>;
  read(sql: string, statement: Statement, format: string, run: Run, answer: Answer): Promise<void>;
  command(sql: string, statement: Statement, format: string, run: Run, answer: Answer): Promise<void>;
  insert(
    insert: DataInsert,
    data: { body: Body; from: number; prefix: Buffer },
    run: Run,
    answer: Answer,
  ): Promise<void>;
  close(): Promise<void>;
}

export function createRunner(options: RunnerOptions): Runner {
  const { engine, spoolFolder, limits } = options;
  const lanes = {
    owner: createLane('reads', limits.reads, limits.waiting),
    reader: createLane("readers' queries", limits.readerReads, limits.waiting),
    writes: createLane('writes', limits.writes, limits.waiting),
  };
  /** By role and database: sessions that only ran what leaves nothing behind in them. */
  const idle = new Map<string, EngineSession[]>();
  const busy = new Set<Promise<void>>();
  let spooled = 0;
  let closed = false;

  const spoolPath = () => join(spoolFolder, `http-${++spooled}`);

  async function take(key: string, run: Run): Promise<EngineSession> {
    const free = idle.get(key)?.pop();
    const session = free ?? (await engine.open(run.role));
    try {
      if (free === undefined && run.database !== undefined) {
        await session.run(`USE ${databaseName(run.database)}`, 'Null');
      }
      for (const [name, value] of run.url.settings)
        await session.run(`SET ${name} = ${quote(value)}`, 'Null');
      for (const [name, value] of run.url.parameters) {
        await session.run(`SET ${parameterName(name)} = ${quote(value)}`, 'Null');
      }
      return session;
    } catch (error) {
      session.close();
      throw toFailure(error);
    }
  }

  /** Uses one session; neither what changed it nor a cancel meant for it ever reaches another request. */
  async function withSession(
    lane: Lane,
    stateless: boolean,
    run: Run,
    answer: Pick<Answer, 'stop'> | undefined,
    use: (session: EngineSession, stop: (reason: Error) => void) => Promise<void>,
  ): Promise<void> {
    if (closed) throw failure('ABORTED', 'The engine is stopping');
    const leave = await lane.enter();
    try {
      if (run.signal.aborted) throw failure('QUERY_WAS_CANCELLED', 'The client went away');
      const key = `${run.role} ${run.database ?? ''}`;
      const isPlain = stateless && run.url.settings.size === 0 && run.url.parameters.size === 0;
      const session = await take(key, run);
      let reusable = false;
      try {
        const isUndisturbed = await watched(
          {
            deadlineMs: options.deadlineMs[run.role],
            signal: run.signal,
            cancel: () => engine.cancel(session.name),
            onStop: (reason) => answer?.stop(reason),
            reportError: options.reportError,
          },
          (stop) => use(session, stop),
        );
        reusable = isPlain && isUndisturbed;
      } finally {
        const pool = idle.get(key) ?? [];
        if (reusable && !closed && pool.length < limits.reads) idle.set(key, [...pool, session]);
        else session.close();
      }
    } finally {
      leave();
    }
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    busy.add(settled);
    void settled.then(() => busy.delete(settled));
    return work;
  }

  /** Formats with a head or a foot: the engine writes the whole result to a file, which is then sent. */
  async function sendThroughFile(
    session: EngineSession,
    sql: string,
    statement: Statement,
    format: string,
    answer: Answer,
    maxBytes: number,
    stop: (reason: Error) => void,
  ) {
    const path = spoolPath();
    const tooLarge = () =>
      failure('TOO_MANY_ROWS_OR_BYTES', `The result has more than ${maxBytes} bytes in the format ${format}`);
    try {
      const clause = statement.format === undefined ? ` FORMAT ${identifierOf(format)}` : '';
      const text = `${sql.slice(0, statement.outputAt)}\nINTO OUTFILE ${quote(path)} TRUNCATE COMPRESSION 'none'${clause}\n${sql.slice(statement.outputAt)}`;
      const { rows } = await boundFile(
        path,
        maxBytes,
        (error) => stop(error === undefined ? tooLarge() : toFailure(error)),
        session.run(text, format),
      );
      const size = await sizeOf(path);
      if (size > maxBytes) throw tooLarge();
      if (size > 0) {
        for await (const chunk of createReadStream(path, { highWaterMark: READ_CHUNK_BYTES })) {
          await answer.write(chunk as Buffer);
        }
      }
      await answer.end(summaryOf({ read_rows: rows }));
    } finally {
      await rm(path, { force: true });
    }
  }

  return {
    async prepare(sql, run) {
      if (run.role === 'owner') {
        checkOwnSettings(sql);
        checkOwnerStatement(sql);
        return sql;
      }
      if (run.database !== undefined) checkReaderDatabase(run.database);
      let formatted = '';
      // in one line: indented, deep brackets would make a hundred times the text
      const query = `SELECT formatQuerySingleLine(${quote(sql)})`;
      await track(
        withSession(
          lanes.reader,
          true,
          { ...run, url: NO_SETTINGS, database: undefined },
          undefined,
          async (session) => {
            const { bytes } = await session.run(query, 'RawBLOB');
            formatted = Buffer.from(bytes).toString('utf8');
          },
        ),
      );
      checkReaderStatement(formatted, options.names);
      return formatted;
    },
    read: (sql, statement, format, run, answer) =>
      track(
        withSession(
          run.role === 'reader' ? lanes.reader : lanes.owner,
          statement.isStateless,
          run,
          answer,
          async (session, stop) => {
            const isSelect = !/^(SHOW|DESC|DESCRIBE|EXISTS|EXPLAIN)$/.test(statement.verb);
            if (isSelect && isStreamed(format, sql, run.url.settings)) {
              for await (const chunk of session.stream(sql, format)) {
                if (run.signal.aborted) return;
                await answer.write(chunk);
              }
              await answer.end(summaryOf({}));
            } else if (isSelect) {
              const maxBytes = options.maxSpoolBytes[run.role];
              await sendThroughFile(session, sql, statement, format, answer, maxBytes, stop);
            } else await sendWhole(session, sql, format, answer);
          },
        ),
      ),
    command: (sql, statement, format, run, answer) =>
      track(
        withSession(lanes.writes, statement.isStateless, run, answer, (session) =>
          sendWhole(session, sql, format, answer),
        ),
      ),
    insert: (insert, data, run, answer) =>
      track(
        (async () => {
          checkOwnSettings(insert.settings);
          const path = spoolPath();
          try {
            const bytes = await data.body.save(path, data.from, data.prefix);
            // no rows, which not every format has a file for; the table and its columns are still looked at
            const [packing, format] =
              bytes === 0 ? ['none', 'TSV'] : [data.body.packing, identifierOf(insert.format)];
            const sql = `${insert.target} FROM INFILE ${quote(path)} COMPRESSION ${quote(packing)} ${insert.settings} FORMAT ${format}`;
            await withSession(lanes.writes, true, run, answer, async (session) => {
              const { rows } = await session.run(sql, 'Null');
              await answer.end(summaryOf({ written_rows: rows, written_bytes: bytes }));
            });
          } finally {
            await rm(path, { force: true });
          }
        })(),
      ),
    async close() {
      closed = true;
      await Promise.all(busy);
      for (const sessions of idle.values()) for (const session of sessions) session.close();
      idle.clear();
    },
  };
}

export const NO_SETTINGS: UrlSettings = { settings: new Map(), parameters: new Map() };

async function sendWhole(session: EngineSession, sql: string, format: string, answer: Answer): Promise<void> {
  const { bytes, rows } = await session.run(sql, format);
  if (bytes.length > 0) await answer.write(bytes);
  await answer.end(summaryOf({ read_rows: rows }));
}

/** The fields that clients look for; those that the engine does not tell are 0. */
function summaryOf(known: Readonly<Record<string, number>>): Record<string, number> {
  return {
    read_rows: 0,
    read_bytes: 0,
    written_rows: 0,
    written_bytes: 0,
    total_rows_to_read: 0,
    result_rows: 0,
    result_bytes: 0,
    ...known,
  };
}

/** By log_comment a session's query is found when it has to be stopped. */
function checkOwnSettings(sql: string): void {
  if (setsSetting(sql, 'log_comment')) {
    throw failure('BAD_ARGUMENTS', 'The setting log_comment cannot be set: queries are stopped by it');
  }
}

function databaseName(name: string): string {
  if (name.length > MAX_DATABASE_CHARS)
    throw failure('BAD_ARGUMENTS', 'The name of the database is too long');
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``;
}

/** SET param_x takes the name as it is. The binding's own way runs one query with parameters at a time in the whole process. */
function parameterName(name: string): string {
  return identifier(`param_${name}`).replaceAll('`', '');
}

function identifierOf(format: string): string {
  if (!/^\w{1,64}$/.test(format)) throw failure('BAD_ARGUMENTS', `${JSON.stringify(format)} is no format`);
  return format;
}
