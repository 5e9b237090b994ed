import { openDevnet } from 'strata-devnet/devnet';
import { genesisContracts } from 'strata-devnet/modules/evm/genesis';
import { startRpc } from 'strata-devnet/rpc/server';
import { createWorkload } from 'strata-devnet/workload/workload';

/**
 * A devnet's RPC in a process of its own, over blocks of the workload that it reads from its folder. argv: the number
 * of blocks, the bytes of printed blocks that it keeps, and the folder. Prints its URL when they are made.
 */
const blocks = Number(process.argv[2]);
const cacheBytes = Number(process.argv[3]);
const home = process.argv[4] ?? '';
const TXS = 10;

const made = await openDevnet({ home, clock: 'simulated' });
const { app, parameters } = made;
const view = () => ({ reader: app.state, height: app.head().height, timeNs: app.head().timeNs });
const workload = createWorkload({
  seed: '1',
  parameters,
  encoder: app.codec,
  contracts: genesisContracts(parameters),
  view: view(),
});
while (made.chain.latestHeight() < blocks) {
  workload.observe(await made.produceBlock({ txs: workload.plan(view(), TXS) }), view());
}
await made.stop();

// opened again, so that no block is at hand
const devnet = await openDevnet({ home, clock: 'simulated' });
const rpc = await startRpc({ chain: devnet.chain, port: 0, cacheBytes });
console.log(rpc.url);
process.on('SIGTERM', () => process.exit(0));
