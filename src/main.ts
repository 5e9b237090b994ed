import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { processEnvironment } from './cli/environment.ts';
import { ignoreBrokenPipe, withShutdown } from './cli/shutdown.ts';
import { createStrata } from './cli/strata.ts';
import { stopDeadlineMs } from './settings/stopping.ts';

/** The process around the command line: streams, signals, exit code. */

ignoreBrokenPipe(process.stdout);
ignoreBrokenPipe(process.stderr);
const { stdin, stdout, stderr } = process;
const env = processEnvironment();
process.exitCode = await withShutdown(
  (signal) =>
    createStrata({
      stdin,
      stdout,
      stderr,
      env,
      signal,
      version: ownVersion(),
      isChild: process.connected === true,
    }).run(process.argv.slice(2)),
  { deadlineMs: stopDeadlineMs(env), stderr },
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
