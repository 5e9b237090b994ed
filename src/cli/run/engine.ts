import type { CommandContext } from 'strata-kit/cli/context';
import { untilAborted } from 'strata-kit/cli/process';
import type { ListenAddress } from 'strata-kit/listen-address';
import { ENGINE_USERS, openEngine } from '../../engine/engine.ts';

export interface EngineOptions {
  readonly folder: string;
  readonly listen: ListenAddress;
  /** Of the engine's users. */
  readonly passwords: { readonly owner: string | undefined; readonly reader: string | undefined };
}

/** strata engine: the embedded ClickHouse in a process of its own, behind ClickHouse's HTTP interface. */
export async function engine(options: EngineOptions, { log, print, signal }: CommandContext): Promise<void> {
  const running = await openEngine({
    ...options,
    reportError: (error) => log.warn({ err: error }, 'a request failed'),
    reportGuesses: ({ wrong, total }) =>
      log.warn(`wrong passwords: ${wrong} since the last such line, ${total} since the start`),
  });
  try {
    if (running.generatedPassword !== undefined) {
      print(`password of ${ENGINE_USERS.owner}: ${running.generatedPassword}`);
    }
    const readers =
      options.passwords.reader === undefined ? 'no read-only user' : `read-only user ${ENGINE_USERS.reader}`;
    log.info(
      `ClickHouse ${running.version} over ${options.folder} at ${running.url}, user ${ENGINE_USERS.owner}, ${readers}`,
    );
    await untilAborted(signal);
  } finally {
    await running.close();
  }
}
