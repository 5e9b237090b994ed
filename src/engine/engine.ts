import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import type { ListenAddress } from 'strata-kit/listen-address';
import { openEmbedded } from '../store/embedded.ts';
import { makeOwnFolder } from '../store/engine-config.ts';
import { type Engine, openEngineSessions, type ReaderLimits, rowsOf } from './chdb.ts';
import { OWNER_NAMES, READER_NAME } from './credentials.ts';
import { readRefusedFunctions } from './engine-functions.ts';
import { createGuesses, type GuessReport } from './guesses.ts';
import { createRunner, type LaneLimits } from './runner.ts';
import { listenHttp } from './server.ts';

/** The embedded engine behind ClickHouse's HTTP interface, for several processes and other people's SQL tools. */

export interface EngineOptions {
  readonly folder: string;
  readonly listen: ListenAddress;
  readonly passwords: { readonly owner: string | undefined; readonly reader: string | undefined };
  readonly reportError: (error: unknown) => void;
  /** Told of wrong passwords, at most every 10 s. */
  readonly reportGuesses?: (report: GuessReport) => void;
  readonly limits?: Partial<LaneLimits>;
  readonly readerLimits?: Partial<ReaderLimits>;
  readonly deadlineMs?: { readonly owner: number; readonly reader: number };
  readonly maxInsertBytes?: number;
}

export interface EngineProcess {
  /** http://host:port, without credentials. */
  readonly url: string;
  readonly version: string;
  /** The owner's password when none was given. */
  readonly generatedPassword: string | undefined;
  close(): Promise<void>;
}

/** Together below the 16 threads of the pool that also reads and writes files. */
const LIMITS: LaneLimits = { reads: 7, readerReads: 3, writes: 2, waiting: 1_000 };
/** Three readers at once take no more memory than a small machine has, and no disk worth speaking of. */
const READER_LIMITS: ReaderLimits = { memoryBytes: 2 * 2 ** 30, resultBytes: 2 ** 30, diskBytes: 2 ** 30 };
const DEADLINE_MS = { owner: 3_600_000, reader: 60_000 };
const GENERATED_PASSWORD_BYTES = 18;

/**
 * Errors: config_invalid for an address that is not loopback or cannot be listened on, or equal passwords; those of
 * openEmbedded.
 */
export async function openEngine(options: EngineOptions): Promise<EngineProcess> {
  checkLoopback(options.listen);
  checkPasswords(options.passwords);
  const generatedPassword =
    options.passwords.owner === undefined
      ? randomBytes(GENERATED_PASSWORD_BYTES).toString('base64url')
      : undefined;
  const passwords = {
    owner: options.passwords.owner ?? generatedPassword ?? '',
    reader: options.passwords.reader,
  };
  const folder = resolve(options.folder);
  await makeOwnFolder(join(folder, 'backups'));
  const stores = await openEmbedded({
    folder,
    // where BACKUP may write; unlike the embedded store's own place it is never emptied
    backupsFolder: join(folder, 'backups'),
  });
  const closers: (() => Promise<void>)[] = [() => stores.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const readerLimits = { ...READER_LIMITS, ...options.readerLimits };
    const engine = await openEngineSessions(folder, readerLimits);
    closers.push(() => engine.close());
    const { version, timezone, refusedFunctions } = await describeEngine(engine);
    const runner = createRunner({
      engine,
      refusedFunctions,
      spoolFolder: stores.spoolFolder,
      // the owner may fill the disk in other ways too
      maxSpoolBytes: { owner: Number.POSITIVE_INFINITY, reader: readerLimits.diskBytes },
      deadlineMs: options.deadlineMs ?? DEADLINE_MS,
      limits: { ...LIMITS, ...options.limits },
      reportError: options.reportError,
    });
    closers.push(() => runner.close());
    const server = await listenHttp(
      {
        runner,
        passwords,
        guesses: createGuesses(options.reportGuesses ?? (() => {})),
        version,
        timezone,
        reportError: options.reportError,
        ...(options.maxInsertBytes === undefined ? {} : { maxInsertBytes: options.maxInsertBytes }),
      },
      options.listen,
    );
    closers.push(() => server.close());
    return {
      url: server.url,
      version,
      generatedPassword,
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

/** Whoever reaches the port can try passwords, and they travel unencrypted: another machine needs a tunnel or a proxy. */
function checkLoopback({ host }: ListenAddress): void {
  if (host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))) return;
  throw new StrataError(
    'config_invalid',
    `--listen ${host} is no loopback address: the engine answers on 127.0.0.1 or [::1] only, since passwords go over it unencrypted; put a proxy with TLS before it`,
  );
}

function checkPasswords({ owner, reader }: EngineOptions['passwords']): void {
  if (reader === undefined || reader !== owner) return;
  throw new StrataError(
    'config_invalid',
    'the passwords of the owner and of the reader are equal: whoever may read could write; give the reader another',
  );
}

async function describeEngine(
  engine: Engine,
): Promise<{ version: string; timezone: string; refusedFunctions: ReadonlySet<string> }> {
  const session = await engine.open('owner');
  try {
    const ask = (sql: string) => rowsOf(session, sql);
    const [version = '', timezone = 'UTC'] = await ask('SELECT arrayJoin([version(), timezone()])');
    return { version, timezone, refusedFunctions: await readRefusedFunctions(ask) };
  } finally {
    session.close();
  }
}

/** For what is printed at the start. */
export const ENGINE_USERS = { owner: OWNER_NAMES[0] ?? 'strata', reader: READER_NAME } as const;
