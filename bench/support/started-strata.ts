import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { request } from 'undici';
import { benchFolder } from './folders.ts';

/** `strata start` in a process of its own. */
export interface StartedStrata {
  readonly pid: number;
  readonly url: string;
  readonly dataFolder: string;
  /** How long each commit took, in their order. */
  readonly commitsMs: readonly number[];
  /** The body of an answer. Errors: when it is no 200. */
  get(path: string): Promise<string>;
  stop(): Promise<void>;
}

/** Follows a node, with flags beside those that say where it reads, writes and listens. */
export async function startStrata(nodeUrl: string, more: readonly string[]): Promise<StartedStrata> {
  const program = new URL('../../src/strata.cjs', import.meta.url).pathname;
  const dataFolder = benchFolder();
  const flags = ['--rpc', nodeUrl, '--data', dataFolder, '--listen', '127.0.0.1:0'];
  const logging = ['--log-format', 'json', '--log-level', 'debug', ...more];
  const child = spawn(process.execPath, [program, 'start', ...flags, ...logging], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  const commitsMs: number[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    void ended.then(() => reject(new Error('strata start ended early')));
    createInterface({ input: child.stderr }).on('line', (line) => {
      // a process that is late to stop reports it in plain text
      if (!line.startsWith('{')) {
        process.stderr.write(`${line}\n`);
        return;
      }
      const { msg, durationMs } = JSON.parse(line) as { msg?: string; durationMs?: number };
      if (msg === 'committed' && durationMs !== undefined) commitsMs.push(durationMs);
      if (msg?.startsWith('serving http') === true) resolve(msg.slice('serving '.length));
    });
  });
  return {
    pid: child.pid ?? 0,
    url,
    dataFolder,
    commitsMs,
    async get(path) {
      const { statusCode, body } = await request(`${url}${path}`);
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${path}: ${statusCode} ${text}`);
      return text;
    },
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
