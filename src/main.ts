import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { handlers } from './cli/handlers.ts';
import { createProgram } from './cli/program.ts';
import { ignoreBrokenPipe, withShutdown } from './cli/shutdown.ts';
import { processEnvironment } from './config.ts';

/** The process around the command line: streams, signals, exit code. */

/** Below the 10 s after which Docker kills; a busy machine takes seconds for what takes 0.2 s on a quiet one. */
const SHUTDOWN_DEADLINE_MS = 8_000;

ignoreBrokenPipe(process.stdout);
ignoreBrokenPipe(process.stderr);
const { stdin, stdout, stderr } = process;
process.exitCode = await withShutdown(
  (signal) =>
    createProgram(handlers, {
      stdin,
      stdout,
      stderr,
      env: processEnvironment(),
      signal,
      version: ownVersion(),
    }).run(process.argv.slice(2)),
  { deadlineMs: SHUTDOWN_DEADLINE_MS, stderr },
);

/** The version in the nearest package.json above, which is one folder up in a checkout and two in dist. */
function ownVersion(): string {
  for (let folder = import.meta.dirname; folder !== dirname(folder); folder = dirname(folder)) {
    try {
      const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return (manifest as { version: string }).version;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  return 'unknown';
}
