import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { SigningStargateClient } from '@cosmjs/stargate';
import { JsonRpcProvider } from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceAccount } from '../../src/devnet/workload/accounts.ts';
import { killCommands, runCommand, startCommand } from '../support/command.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** strata devnet as a process of its own: what answers, what it refuses, how it ends. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

const at = (name: string): string => join(folder.path, name);
const PORTS = ['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'];

async function start(...flags: readonly string[]) {
  const command = startCommand('devnet', ...PORTS, ...flags);
  const [, rpc = '', evm = ''] = await command.printed(/JSON-RPC at (\S+), Ethereum's at (\S+)/);
  return { command, rpc, evm };
}

describe('strata devnet', () => {
  it('serves cosmjs and ethers, works by itself, ends with a signal, and goes on', {
    timeout: 120_000,
  }, async () => {
    const flags = ['--home', at('home'), '--seed', '3', '--block-time', '200'];
    const { command, rpc, evm } = await start(...flags, '--workload', 'none');
    const faucet = serviceAccount('faucet', 'aeva');
    const relayer = serviceAccount('relayer', 'aeva');
    const wallet = await DirectSecp256k1Wallet.fromKey(relayer.privateKey, 'aeva');
    const client = await SigningStargateClient.connectWithSigner(rpc, wallet);
    const sent = await client.sendTokens(relayer.address, faucet.address, [{ denom: 'uusd', amount: '12' }], {
      amount: [{ denom: 'aaeva', amount: '200000000000000' }],
      gas: '200000',
    });
    expect([sent.code, sent.rawLog]).toEqual([0, '']);
    // the faucet has a thousand million
    expect(await client.getBalance(faucet.address, 'uusd')).toEqual({
      denom: 'uusd',
      amount: '1000000000000012',
    });
    client.disconnect();

    const provider = new JsonRpcProvider(evm, undefined, { staticNetwork: true });
    expect((await provider.getNetwork()).chainId).toBe(9_111n);
    expect(await provider.getBalance(faucet.evmAddress)).toBe(10n ** 27n);
    provider.destroy();
    await command.stopWell('SIGTERM');

    const again = await start(...flags);
    let txs = 0;
    while (txs === 0) {
      const { result } = (await (await fetch(`${again.rpc}/block`)).json()) as {
        result: { block: { header: { height: string }; data: { txs: string[] } } };
      };
      expect(Number(result.block.header.height)).toBeGreaterThanOrEqual(sent.height);
      if (Number(result.block.header.height) > sent.height + 1) txs = result.block.data.txs.length;
    }
    await again.command.stopWell('SIGINT');
  });

  it('says that a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    for (const flag of ['--rpc-listen', '--evm-listen']) {
      const flags = [...PORTS];
      flags[flags.indexOf(flag) + 1] = `127.0.0.1:${port}`;
      const { exitCode, stderr } = await runCommand('devnet', '--home', at(`port${flag}`), ...flags);
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`strata: port_in_use: cannot listen at 127.0.0.1:${port}: EADDRINUSE`);
    }
    taken.close();
  });

  it('has its folder for itself, and takes one over that a killed process left', async () => {
    const home = ['--home', at('own'), '--workload', 'none'];
    const { command } = await start(...home);
    const second = await runCommand('devnet', ...PORTS, ...home);
    expect(second.exitCode).toBe(1);
    expect(second.stderr).toMatch(/devnet_home: .* is in use by process \d+/);
    await command.stop('SIGKILL');
    const { command: third } = await start(...home);
    await third.stopWell('SIGTERM');
  }, 60_000);

  it('refuses the folder of another seed', async () => {
    const { command } = await start('--home', at('seeded'), '--seed', '1', '--workload', 'none');
    await command.stop('SIGTERM');
    const { exitCode, stderr } = await runCommand('devnet', ...PORTS, '--home', at('seeded'), '--seed', '2');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^strata: devnet_home: \S+seeded: the chain was made with another seed than 2\. /m,
    );
  });

  it('stands still with a code when its clock is set back', async () => {
    await writeFile(at('back.yaml'), 'step: 1h\nat:\n  - { height: 4, set: 2026-01-01T00:30:00Z }\n');
    const flags = ['--clock', 'simulated', '--clock-script', at('back.yaml'), '--block-time', '1'];
    const { exitCode, stderr } = await runCommand(
      'devnet',
      ...PORTS,
      '--home',
      at('back'),
      '--workload',
      'none',
      ...flags,
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
    const { exitCode, stderr } = await runCommand('devnet', ...PORTS, '--home', at('wrong'), ...flags);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^strata: config_invalid: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });
});
