import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';

const SCRIPT = fileURLToPath(new URL('shutdown-script.mjs', import.meta.url));

function launch(...args: string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...args]);
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    output.stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output.stderr += chunk.toString();
  });
  return { child, output };
}

async function until(child: ChildProcess, ready: () => boolean): Promise<void> {
  while (!ready()) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}`);
    await pause(10);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function exitOf(child: ChildProcess): Promise<unknown> {
  const [code, signal] = child.exitCode === null ? await once(child, 'close') : [child.exitCode, null];
  return signal ?? code;
}

describe('a process', () => {
  it('ends with 0 by itself when its work is done', async () => {
    const { child, output } = launch('done');
    expect(await exitOf(child)).toBe(0);
    expect(output).toEqual({ stdout: 'ready\n', stderr: '' });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'finishes what it has in hand at %s and ends with 0',
    async (signal) => {
      const { child, output } = launch('polite');
      await until(child, () => output.stdout.includes('ready'));
      child.kill(signal);
      expect(await exitOf(child)).toBe(0);
      expect(output).toEqual({ stdout: 'ready\nclosed\n', stderr: '' });
    },
  );

  it('takes the error of an aborted wait for a good end', async () => {
    const { child, output } = launch('aborts');
    await until(child, () => output.stdout.includes('ready'));
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
    expect(output.stderr).toBe('');
  });

  it('counts one Ctrl-C that npm and the terminal both pass on as one', async () => {
    const { child, output } = launch('polite');
    await until(child, () => output.stdout.includes('ready'));
    child.kill('SIGINT');
    await pause(20);
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(0);
  });

  it('ends with 1 and a line at the deadline', async () => {
    const { child, output } = launch('deaf', '300');
    await until(child, () => output.stdout.includes('ready'));
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(1);
    expect(output.stderr).toMatch(/^strata: not finished 0.3 s after SIGTERM; [^\n]*\n$/);
  });

  it('ends with 1 and a line at a second signal', async () => {
    const { child, output } = launch('deaf');
    await until(child, () => output.stdout.includes('ready'));
    child.kill('SIGINT');
    await pause(700);
    child.kill('SIGINT');
    expect(await exitOf(child)).toBe(1);
    expect(output.stderr).toMatch(/^strata: stopped at once by a second SIGINT; [^\n]*\n$/);
  });

  it('ends by SIGKILL and with nothing but its line while the embedded engine inserts', async () => {
    const { path, remove } = await temporaryFolder();
    const { child, output } = launch('inserting', '300', path);
    await until(child, () => output.stdout.includes('ready'));
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe('SIGKILL');
    expect(output.stderr).toMatch(/^strata: not finished 0.3 s after SIGTERM; [^\n]*\n$/);
    await remove();
  });

  it('says nothing when the reader of its results goes away', async () => {
    const { child, output } = launch('talkative');
    await until(child, () => output.stdout.includes('0 xxx'));
    child.stdout?.destroy();
    expect(await exitOf(child)).toBe(0);
    expect(output.stderr).toBe('');
  });
});
