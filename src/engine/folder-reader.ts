import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import { openEmbedded } from '../store/embedded.ts';
import type { Answer } from './answer.ts';
import { openEngineSessions, type ReaderLimits, rowsOf } from './chdb.ts';
import { readRefusedFunctions } from './engine-functions.ts';
import { toFailure } from './failure.ts';
import { checkStatement, type SqlReader } from './reader.ts';
import { createRunner } from './runner.ts';
import { describeStatement } from './statement.ts';

/** One person at their own machine: the memory of `strata engine`'s reader, and room for a large file. */
const LIMITS: ReaderLimits = { memoryBytes: 2 * 2 ** 30, resultBytes: 2 ** 34, diskBytes: 2 ** 34 };
const DEADLINE_MS = { owner: 60_000, reader: 3_600_000 };
const LANES = { reads: 1, readerReads: 1, writes: 1, waiting: 1 };

/**
 * A data folder, in sessions that the engine itself holds to reading.
 *
 * Errors: store_empty when there is none; those of openEmbedded, store_in_use above all.
 */
export async function openFolderReader(
  dataFolder: string,
  reportError: (error: unknown) => void,
  limits: Partial<ReaderLimits> = {},
): Promise<SqlReader> {
  const folder = resolve(dataFolder);
  // before anything is written into it
  if (!existsSync(join(folder, 'engine'))) {
    throw new StrataError('store_empty', `There is no store in the data folder ${folder}`);
  }
  const stores = await openEmbedded({ folder, mustExist: true });
  const closers: (() => Promise<void>)[] = [() => stores.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const ofReader = { ...LIMITS, ...limits };
    const engine = await openEngineSessions(folder, ofReader);
    closers.push(() => engine.close());
    const owner = await engine.open('owner');
    const refusedFunctions = await readRefusedFunctions((sql) => rowsOf(owner, sql)).finally(() =>
      owner.close(),
    );
    const runner = createRunner({
      engine,
      refusedFunctions,
      spoolFolder: stores.spoolFolder,
      maxSpoolBytes: { owner: 0, reader: ofReader.diskBytes },
      deadlineMs: DEADLINE_MS,
      limits: LANES,
      reportError,
    });
    closers.push(() => runner.close());
    return {
      async read({ sql, format, settings }, write, signal) {
        checkStatement(sql);
        const run = {
          role: 'reader',
          database: undefined,
          url: { settings, parameters: new Map<string, string>() },
          signal,
        } as const;
        try {
          const prepared = await runner.prepare(sql, run);
          await runner.read(prepared, describeStatement(prepared), format, run, answerTo(write));
        } catch (error) {
          throw toFailure(error);
        }
      },
      close: closeAll,
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function answerTo(write: (bytes: Uint8Array) => Promise<void>): Answer {
  let begun = false;
  let stopped: Error | undefined;
  const goOn = (): void => {
    if (stopped !== undefined) throw stopped;
  };
  return {
    get begun() {
      return begun;
    },
    stop(reason) {
      stopped = reason;
    },
    async write(bytes) {
      goOn();
      begun = true;
      await write(bytes);
    },
    async end() {
      goOn();
    },
  };
}
