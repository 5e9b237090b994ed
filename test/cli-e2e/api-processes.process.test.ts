import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, type RunningCommand, runCommand, startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { type EngineUnderTest, startEngine } from '../support/engine.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** API processes over a store that answers over HTTP: several on one port, and one that is started before its store is filled. */

const RECORDING = FIXTURE_FOLDER.pathname;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: EngineUnderTest;
let store: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startEngine(folder.path);
  const url = new URL(`${engine.url}/shared`);
  url.username = engine.user;
  url.password = engine.password;
  store = url.href;
});
afterAll(async () => {
  await engine.stop();
  killCommands();
  await folder.remove();
});

const serve = (...more: string[]) =>
  startCommand('serve', '--clickhouse', store, '--listen', '127.0.0.1:0', ...more);
const statusOf = async (url: string) => (await fetch(`${url}/v1/blocks/20`)).status;

describe('serve before index', () => {
  it('answers 503 until something is indexed, then by itself', async () => {
    const port = await freePort();
    const waiting = startCommand('serve', '--clickhouse', store, '--listen', `127.0.0.1:${port}`);
    await waiting.printed(/answering 503 until something is indexed/);
    const early = await fetch(`http://127.0.0.1:${port}/v1/blocks/20`);
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await early.json()).toEqual({ error: 'not ready', code: 'internal' });
    const filled = await runHere('index', '--capture', RECORDING, '--to', '40', '--clickhouse', store);
    expect(filled.exitCode).toBe(0);
    const [, url = ''] = await waiting.printed(/serving (http:\S+)/);
    await expect.poll(() => statusOf(url)).toBe(200);
    await waiting.stopWell('SIGTERM');
  });
});

describe('serve --processes', () => {
  it('an embedded store is refused, with what to do instead', async () => {
    const { exitCode, stderr } = await runHere('serve', '--processes', '2', '--data', folder.path);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^strata: config_invalid: --processes 2 needs .*--clickhouse.*strata engine.*\n$/);
  });

  it('two processes share the port and the connections, and nobody else has it', async () => {
    const { command, url, pids } = await started(serve('--processes', '2'));
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const before = pids.map(socketCount);
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => answerOf(`${url}/v1/blocks/20`, agent)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(64).fill(200));
    // each of them has taken some; that one of two takes none of 64 happens once in 2^63
    for (const [i, pid] of pids.entries()) expect(socketCount(pid)).toBeGreaterThan(before[i] ?? 0);
    expect(new Set(answers.map(({ etag }) => etag)).size).toBe(1);
    agent.destroy();

    const taken = ['--listen', new URL(url).host];
    for (const processes of ['1', '2']) {
      const second = await runHere('serve', '--clickhouse', store, ...taken, '--processes', processes);
      expect(second.exitCode).toBe(2);
      // before a process is started
      expect(second.stderr).toMatch(/config_invalid: cannot listen on/);
      expect(second.stderr).not.toContain('ended before it answered');
    }

    // the one that is killed comes back; the other answers all the while
    const [killed = 0, other = 0] = pids;
    process.kill(killed, 'SIGKILL');
    const [, newPid] = await command.printed(/API process \d is back \(pid (\d+)\)/);
    expect(Number(newPid)).not.toBe(killed);
    expect(isRunning(other)).toBe(true);
    await expect.poll(() => statusOf(url)).toBe(200);

    expect(await command.stopWell('SIGTERM')).toMatchObject({ stdout: '' });
    for (const pid of [other, Number(newPid)]) expect(isRunning(pid)).toBe(false);
  });

  it('what a process cannot start with ends all, with its reason', async () => {
    const { exitCode, stderr } = await runCommand(
      ...['serve', '--processes', '2', '--listen', '127.0.0.1:0', '--clickhouse', 'http://127.0.0.1:1/none'],
    );
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/strata: store_unreachable: /);
    expect(stderr).toMatch(/strata: process_ended: API process \d ended before it answered \(exit code 1\)/);
  });

  it('none is left over when the parent is killed', async () => {
    const { command, pids } = await started(serve('--processes', '2'));
    await command.stop('SIGKILL');
    await expect.poll(() => pids.filter(isRunning)).toEqual([]);
  });
});

async function started(command: RunningCommand) {
  const [, url = '', list = ''] = await command.printed(
    /serving (http:\S+) with 2 processes \(pids ([\d, ]+)\)/,
  );
  return { command, url, pids: list.split(', ').map(Number) };
}

function answerOf(url: string, agent: Agent): Promise<{ readonly status?: number; readonly etag: unknown }> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, etag: response.headers.etag }));
    }).once('error', reject);
  });
}

async function freePort(): Promise<number> {
  const { createServer } = await import('node:net');
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function socketCount(pid: number): number {
  const descriptors = `/proc/${pid}/fd`;
  return readdirSync(descriptors).filter((name) => {
    try {
      return readlinkSync(`${descriptors}/${name}`).startsWith('socket:');
    } catch (error) {
      // closed since it was listed
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }).length;
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
