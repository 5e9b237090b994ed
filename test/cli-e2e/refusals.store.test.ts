import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/command-here.ts';
import { runTogether } from '../support/commands-together.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** What a command says when it cannot do what it was asked for. Wrong flags: test/cli/program.test.ts. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const at = (name: string): string => join(folder.path, name);

describe('strata', () => {
  it.each(['digest', 'serve'])('%s creates nothing where there is no store', async (command) => {
    const { exitCode, stdout, stderr } = await runHere(command, '--data', at(`no-${command}`));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(
      /^strata: store_empty: There is no store in the data folder \S+\. Index into it first [^\n]+\n$/,
    );
    expect(existsSync(at(`no-${command}`))).toBe(false);
    await mkdir(join(at(`empty-${command}`), 'engine'), { recursive: true });
    const empty = await runHere(command, '--data', at(`empty-${command}`));
    expect(empty.exitCode).toBe(1);
    expect(empty.stderr).toMatch(/^strata: store_empty: The store [^\n]+ holds no chain yet\.[^\n]+\n$/);
  });

  it('leaves nothing open when the address of its API is taken', async () => {
    await copyRecordedStore(at('taken'));
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    try {
      const listen = ['--listen', `127.0.0.1:${(holder.address() as AddressInfo).port}`];
      const { exitCode, signal, exitCodes, stderr } = await runTogether([
        ['serve', '--data', at('taken'), ...listen],
        ['start', '--capture', FIXTURE_FOLDER.pathname, '--data', at('taken'), ...listen],
        ['demo', '--recorded', '--data', at('taken-demo'), ...listen],
      ]);
      for (const text of stderr) expect(text).toMatch(/^strata: config_invalid: cannot listen on/m);
      expect({ exitCode, signal, exitCodes }).toEqual({ exitCode: 0, signal: null, exitCodes: [2, 2, 2] });
      for (const text of stderr) expect(text).toMatch(/^strata: config_invalid: cannot listen on/m);
    } finally {
      holder.close();
    }
  }, 120_000);
});
