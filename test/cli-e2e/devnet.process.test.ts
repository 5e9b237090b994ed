import { join } from 'node:path';
import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { SigningStargateClient } from '@cosmjs/stargate';
import { JsonRpcProvider } from 'ethers';
import { serviceAccount } from 'strata-devnet/workload/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** strata devnet as a process of its own: what answers, how it ends, and that it has its folder for itself. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

const PORTS = ['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0'];

async function start(...flags: readonly string[]) {
  const command = startCommand('devnet', ...PORTS, ...flags);
  const [, rpc = '', evm = ''] = await command.printed(/JSON-RPC at (\S+), Ethereum's at (\S+)/);
  return { command, rpc, evm };
}

interface AnsweredBlock {
  readonly result: {
    readonly block: {
      readonly header: { readonly height: string };
      readonly data: { readonly txs: readonly string[] };
    };
  };
}

describe('strata devnet', () => {
  it('serves cosmjs and ethers, has its folder for itself, and goes on after a kill, by itself, until a signal ends it', {
    timeout: 120_000,
  }, async () => {
    const flags = ['--home', join(folder.path, 'home'), '--seed', '3', '--block-time', '200'];
    const { command, rpc, evm } = await start(...flags, '--workload', 'none');
    const faucet = serviceAccount('faucet', 'aeva');
    const relayer = serviceAccount('relayer', 'aeva');
    const wallet = await DirectSecp256k1Wallet.fromKey(relayer.privateKey, 'aeva');
    const client = await SigningStargateClient.connectWithSigner(rpc, wallet, {
      broadcastPollIntervalMs: 200,
    });
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

    const beside = await runHere('devnet', ...PORTS, ...flags);
    expect(beside.exitCode).toBe(1);
    expect(beside.stderr).toMatch(/devnet_home: .* is in use by process \d+/);
    await command.stop('SIGKILL');

    // takes over the folder that a killed process has left
    const again = await start(...flags);
    await expect
      .poll(
        async () => {
          const { result } = (await (await fetch(`${again.rpc}/block`)).json()) as AnsweredBlock;
          const height = Number(result.block.header.height);
          expect(height).toBeGreaterThanOrEqual(sent.height);
          return height > sent.height + 1 ? result.block.data.txs.length : 0;
        },
        { interval: 100 },
      )
      .toBeGreaterThan(0);
    await again.command.stopWell('SIGINT');
  });
});
