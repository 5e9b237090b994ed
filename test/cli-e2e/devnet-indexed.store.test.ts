import { join } from 'node:path';
import { openDevnet } from 'strata-devnet/devnet';
import { withFaults } from 'strata-devnet/faults/faults';
import { parseFaults } from 'strata-devnet/faults/names';
import { startRpc } from 'strata-devnet/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere, startHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** A devnet as the indexer sees it. */

const HEAD = 24;

describe('strata index of a devnet', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
  });
  afterAll(() => folder.remove());
  const at = (name: string): string => join(folder.path, name);

  it('follows it to its head, verified, and has the digest of a capture of it', async () => {
    const devnet = startHere(
      ...['devnet', '--home', at('chain'), '--clock', 'simulated', '--block-time', '50'],
      // so that its head stays where it is
      ...['--rpc-listen', '127.0.0.1:0', '--evm-listen', '127.0.0.1:0', '--fault', `halt@${HEAD}`],
    );
    const [, url = ''] = await devnet.printed(/CometBFT's JSON-RPC at (http:\/\/127\.0\.0\.1:\d+)/);
    const halfway = async () => {
      const { result } = (await (await fetch(`${url}/status`)).json()) as {
        result: { sync_info: { latest_block_height: string } };
      };
      return Number(result.sync_info.latest_block_height);
    };
    // the rest is made while it is followed
    await expect.poll(halfway, { timeout: 90_000, interval: 100 }).toBeGreaterThan(HEAD / 2);
    const config = ['--config', join(at('chain'), 'indexer.yaml')];
    const index = ['index', ...config, '--verify', 'always'];
    const following = startHere(...index, '--data', at('followed'));
    await following.printed(new RegExp(`indexing ${HEAD}/${HEAD} `));
    await following.stopWell();

    const captured = await runHere('capture', '--rpc', url, '--capture', at('capture'), '--to', String(HEAD));
    expect(captured).toMatchObject({ exitCode: 0 });
    await devnet.stopWell();
    const again = await runHere('index', ...config, '--capture', at('capture'), '--data', at('captured'));
    expect(again).toMatchObject({ exitCode: 0 });
    const ofCapture = await runHere('digest', '--data', at('captured'));
    const digest = await runHere('digest', '--data', at('followed'));
    expect(digest.stdout).toMatch(new RegExp(`^1 ${HEAD} [0-9a-f]{64}\n`));
    expect(ofCapture.stdout).toBe(digest.stdout);
    // the chain has written down what its contracts are
    const pairs = await runHere(
      'sql',
      '--data',
      at('followed'),
      'SELECT count() > 0 AS found FROM dex_pairs_history',
    );
    expect(pairs.stdout).toMatch(/1|true/);
  }, 180_000);

  it('stops where it forks', async () => {
    const devnet = await openDevnet({ clock: 'simulated' });
    const chain = withFaults(devnet.chain, parseFaults(['fork@20']), {
      signer: devnet.signer,
      codec: devnet.app.codec,
    });
    const rpc = await startRpc({ chain, port: 0 });
    try {
      for (let height = 1; height <= 21; height++) await devnet.produceBlock();
      const index = ['index', '--rpc', rpc.url, '--data', at('forked'), '--verify', 'always'];
      expect(await runHere(...index, '--to', '20')).toMatchObject({ exitCode: 0 });
      for (let height = 22; height <= 27; height++) await devnet.produceBlock();
      const stopped = await runHere(...index, '--to', '26');
      expect(stopped.exitCode).toBe(1);
      expect(stopped.stderr).toMatch(/strata: parent_mismatch: block 21 names [0-9A-F]{64} as its parent/);
    } finally {
      await rpc.close();
      await devnet.stop();
    }
  }, 120_000);
});
