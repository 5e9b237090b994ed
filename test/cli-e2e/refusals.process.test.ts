import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, runCommand, startCommand } from '../support/command.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What a process says when it cannot do what it was asked for. */

const RECORDING = FIXTURE_FOLDER.pathname;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

const at = (name: string): string => join(folder.path, name);

describe('strata', () => {
  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['index', '--capture', RECORDING, '--workers', 'many'], /--workers .*'many'/],
    [['index', '--capture', RECORDING, '--form', '3'], /--form/],
    [['digest', '--rpc', 'http://127.0.0.1:1'], /--rpc/],
    [['indx'], /indx/],
    [['index', '--data', 'somewhere'], /--rpc|--capture/],
  ];
  it.each(wrong)(
    '%j is one line and exit code 2',
    async (args, message) => {
      const { exitCode, stdout, stderr } = await runCommand(...args);
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^strata: config_invalid: [^\n]+\n$/);
      expect(stderr).toMatch(message);
    },
    30_000,
  );

  it('says which process has the data folder, and lets that one be', async () => {
    const first = startCommand(
      'start',
      '--listen',
      '127.0.0.1:0',
      '--capture',
      RECORDING,
      '--data',
      at('shared'),
      '--log-level',
      'debug',
    );
    await first.printed(/committed/);
    for (const args of [['index', '--capture', RECORDING], ['digest']]) {
      const second = await runCommand(...args, '--data', at('shared'));
      expect(second.exitCode).toBe(1);
      expect(second.stdout).toBe('');
      expect(second.stderr).toMatch(
        /strata: store_in_use: The data folder .*shared is in use by another process \(pid \d+\)\..*\n$/,
      );
    }
    await first.stopWell('SIGTERM');
  }, 60_000);

  it.each(['digest', 'serve'])('%s creates nothing where there is no store', async (command) => {
    const { exitCode, stdout, stderr } = await runCommand(command, '--data', at(`no-${command}`));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^strata: store_empty: There is no store in the data folder [^\n]+\n$/);
    expect(existsSync(at(`no-${command}`))).toBe(false);
    await mkdir(join(at(`empty-${command}`), 'engine'), { recursive: true });
    const empty = await runCommand(command, '--data', at(`empty-${command}`));
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toMatch(/^strata: store_empty: The store [^\n]+ holds no chain yet\.[^\n]+\n$/);
  });

  it('ends when the address of its API is taken', async () => {
    const data = ['--data', at('taken')];
    const filled = await runCommand('index', '--capture', RECORDING, '--to', '20', ...data);
    expect(filled.exitCode).toBe(0);
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    try {
      const listen = ['--listen', `127.0.0.1:${(holder.address() as AddressInfo).port}`];
      for (const args of [
        ['serve', ...data],
        ['start', '--capture', RECORDING, ...data],
        ['demo', '--recorded', '--data', at('taken-demo')],
      ]) {
        const command = startCommand(...args, ...listen);
        await command.printed(/config_invalid: cannot listen on/);
        const forced = setTimeout(() => void command.stop('SIGKILL'), 5_000);
        expect(await command.ended, args[0]).toMatchObject({ exitCode: 2, signal: null });
        clearTimeout(forced);
      }
    } finally {
      holder.close();
    }
  }, 60_000);

  it('logs one JSON object a line with --log-format json, failures too', async () => {
    const json = ['--log-format', 'json', '--log-level', 'debug'];
    const good = await runCommand(
      ...['index', '--capture', RECORDING, '--data', at('json'), '--to', '60', ...json],
    );
    const bad = await runCommand(
      ...['index', '--capture', RECORDING, '--data', at('json'), '--chain-id', 'other-1', ...json],
    );
    expect([good.exitCode, bad.exitCode]).toEqual([0, 1]);
    expect(good.stdout + bad.stdout).toBe('');
    const entries = (good.stderr + bad.stderr)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    for (const entry of entries) {
      expect(entry).toMatchObject({
        level: expect.any(String),
        time: expect.any(String),
        msg: expect.any(String),
      });
    }
    expect(entries.filter(({ msg }) => msg === 'committed').at(-1)).toMatchObject({ height: 60 });
    expect(entries.at(-1)).toMatchObject({ level: 'fatal', code: 'chain_id_mismatch' });
  }, 60_000);
});
