import { fork } from 'node:child_process';
import { backoffMs } from 'strata-kit/backoff';
import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { closeServer, createHttpServer, listenAt } from 'strata-kit/http/listener';
import type { ListenAddress } from 'strata-kit/listen-address';
import { hostInUrl } from 'strata-kit/url';
import { cannotListen } from '../api/http.ts';
import { type Ended, endOf } from './child-process.ts';
import { apiProcessEnvironment } from './environment.ts';
import { EXIT_CONFIG } from './failure.ts';
import type { ServeOptions } from './run/serve.ts';

/**
 * `serve --processes n`: this process opens no store and answers nothing; it keeps n processes that listen on one port,
 * over which the system spreads connections (SO_REUSEPORT). One that ends is started again after a growing pause; when
 * one cannot be kept up, all end. They end with this process, however it ends.
 */

const BACKOFF = { firstMs: 250, maxMs: 10_000 };
/** An end counts for this long. */
const FORGET_MS = 60_000;
/** More ends of one process within FORGET_MS are no accident. */
const MAX_ENDS = 5;
/** What one of the processes tells when it answers. */
export const READY = 'ready';

/** Errors: config_invalid when the address cannot be listened on or a process says so; process_ended. */
export async function runApiProcesses(options: ServeOptions, context: CommandContext): Promise<void> {
  const { log, signal } = context;
  const { processes, listen } = options;
  const port = await freePort(listen);
  // aborts when the command is to stop, and when one process cannot be kept up
  const ending = new AbortController();
  const stop = (): void => ending.abort();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const pids = new Map<number, number>();
  let told = false;
  const noteReady = (index: number, pid: number): void => {
    pids.set(index, pid);
    if (told) log.info(`API process ${index} is back (pid ${pid})`);
    if (told || pids.size < processes) return;
    told = true;
    log.info(
      `serving http://${hostInUrl(listen.host, port)} with ${processes} processes (pids ${[...pids.values()].join(', ')})`,
    );
  };
  const keepers = Array.from({ length: processes }, (_, index) =>
    keepUp(index, port, ending.signal, context, noteReady).catch((error: unknown) => {
      stop();
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(keepers)).find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

/** Runs one process again and again until `ending` aborts. */
async function keepUp(
  index: number,
  port: number,
  ending: AbortSignal,
  { log }: CommandContext,
  noteReady: (index: number, pid: number) => void,
): Promise<void> {
  let endedAtMs: number[] = [];
  let wasReady = false;
  while (!ending.aborted) {
    const child = fork(process.argv[1] ?? '', process.argv.slice(2), {
      env: apiProcessEnvironment({ index, port }),
      // a terminal's Ctrl-C is this process's to pass on
      detached: true,
    });
    child.on('message', (message) => {
      if (message !== READY) return;
      wasReady = true;
      noteReady(index, child.pid ?? 0);
    });
    const how = await endOf(child, ending);
    if (ending.aborted) return;
    const nowMs = performance.now();
    endedAtMs = [...endedAtMs.filter((atMs) => nowMs - atMs < FORGET_MS), nowMs];
    if (!wasReady || endedAtMs.length > MAX_ENDS) throw cannotKeepUp(index, how, wasReady);
    const pauseMs = backoffMs(BACKOFF, endedAtMs.length);
    log.warn(`API process ${index} ended (${how}): starting it again in ${pauseMs} ms`);
    await systemClock.sleep(pauseMs, ending);
  }
}

function cannotKeepUp(index: number, how: Ended, wasReady: boolean): StrataError {
  const when = wasReady
    ? `ended ${MAX_ENDS + 1} times within ${FORGET_MS / 1000} s`
    : 'ended before it answered';
  const code = how === `exit code ${EXIT_CONFIG}` ? 'config_invalid' : 'process_ended';
  return new StrataError(code, `API process ${index} ${when} (${how})`);
}

/** The port to share: the one asked for, if nobody has it, or a free one for 0. */
async function freePort(address: ListenAddress): Promise<number> {
  const probe = createHttpServer({});
  const { port } = await listenAt(probe, address).catch((cause: unknown) => {
    throw cannotListen(address, cause);
  });
  await closeServer(probe, 0);
  return port;
}
