import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, startHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What strata devnet refuses. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const at = (name: string): string => join(folder.path, name);
const PORTS = ['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'];

describe('strata devnet', () => {
  it('says that a port is taken, and ends with a signal where none is', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const seeded = ['--home', at('seeded'), '--workload', 'none', '--seed'];
    for (const flag of ['--rpc-listen', '--evm-listen']) {
      const flags = [...PORTS];
      flags[flags.indexOf(flag) + 1] = `127.0.0.1:${port}`;
      const { exitCode, stderr } = await runHere('devnet', ...flags, ...seeded, '1');
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`strata: port_in_use: cannot listen at 127.0.0.1:${port}: EADDRINUSE`);
    }
    taken.close();

    const command = startHere('devnet', ...PORTS, ...seeded, '1');
    await command.printed(/JSON-RPC at (\S+), Ethereum's at (\S+)/);
    await command.stopWell();
    const other = await runHere('devnet', ...PORTS, ...seeded, '2');
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toMatch(
      /^strata: devnet_home: \S+seeded: the chain was made with another seed than 2\. /m,
    );
  });

  it('stands still with a code when its clock is set back', async () => {
    await writeFile(at('back.yaml'), 'step: 1h\nat:\n  - { height: 4, set: 2026-01-01T00:30:00Z }\n');
    const flags = ['--clock', 'simulated', '--clock-script', at('back.yaml'), '--block-time', '1'];
    const { exitCode, stderr } = await runHere(
      ...['devnet', ...PORTS, '--home', at('back'), '--workload', 'none', ...flags],
    );
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'strata: devnet_halted: no block 3: the clock script sets the time back at height 4',
    );
  });

  it.each([
    [['--fault', 'sleep'], /--fault: there is no fault 'sleep'/],
    [['--clock-script', 'x.yaml'], /--clock-script needs --clock simulated/],
    [['--clock', 'simulated', '--clock-script', '/no/such.yaml'], /--clock-script: ENOENT/],
    [['--clock', 'lunar'], /--clock must be wall or simulated, not 'lunar'/],
    [['--keep', '0'], /--keep must be a whole number of 1 to/],
  ])('%j is one line and exit code 2', async (flags, message) => {
    const { exitCode, stderr } = await runHere('devnet', ...PORTS, '--home', at('wrong'), ...flags);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^strata: config_invalid: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });
});
