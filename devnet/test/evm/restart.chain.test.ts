import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openDevnet } from '../../src/devnet.ts';
import { genesisContracts } from '../../src/modules/evm/genesis.ts';
import { wrapEthereumTx } from '../../src/modules/evm/wrap.ts';
import { account, faces, walletOf } from './support.ts';

it('goes on from its folder with contracts, storage and counts as they were', async () => {
  const alice = walletOf(1);
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const options = {
    clock: 'simulated',
    accounts: [{ address: account(alice), coins: [{ denom: 'aaeva', amount: 10n ** 24n }] }],
  } as const;
  const hashes = await Promise.all(
    folders.map(async ({ path }, isRestarted) => {
      let devnet = await openDevnet({ ...options, home: path });
      for (let nonce = 0; nonce < 4; nonce++) {
        const raw = await alice.signTransaction({
          chainId: devnet.parameters.evmChainId,
          nonce,
          to: genesisContracts(devnet.parameters).reverter,
          data: faces.reverter.encodeFunctionData('note', [nonce]),
          gasLimit: 200_000,
          gasPrice: 10n ** 9n,
        });
        const tx = wrapEthereumTx(devnet.app.codec, devnet.parameters, Buffer.from(raw.slice(2), 'hex'));
        const { results } = await devnet.produceBlock({ txs: [tx] });
        expect(results[0]).toMatchObject({ code: 0, log: '' });
        if (isRestarted === 1) {
          await devnet.stop();
          devnet = await openDevnet({ ...options, home: path });
        }
      }
      const { id, nextAppHash } = await devnet.produceBlock();
      expect(devnet.app.unforeseen).toEqual([]);
      await devnet.stop();
      return [id.hash, nextAppHash];
    }),
  );
  expect(hashes[0]).toEqual(hashes[1]);
  for (const folder of folders) await folder.remove();
});
