import { createApp } from '../../../src/devnet/app/app.ts';
import type { AbciEvent, JsonObject, Module } from '../../../src/devnet/app/module.ts';
import type { ChainParameters } from '../../../src/devnet/app/parameters.ts';
import { openCodec } from '../../../src/devnet/codec/codec.ts';
import type { TxResult } from '../../../src/devnet/comet/types.ts';
import { assetModule } from '../../../src/devnet/modules/asset/module.ts';
import { attestationModule } from '../../../src/devnet/modules/attestation/module.ts';
import { authModule } from '../../../src/devnet/modules/auth/module.ts';
import { bankModule } from '../../../src/devnet/modules/bank/module.ts';
import { bridge as bridgeModule } from '../../../src/devnet/modules/bridge/module.ts';
import { delegation as delegationModule } from '../../../src/devnet/modules/delegation/module.ts';
import { encumbrance as encumbranceModule } from '../../../src/devnet/modules/encumbrance/module.ts';
import { genesisContracts } from '../../../src/devnet/modules/evm/genesis.ts';
import { createEvmModule } from '../../../src/devnet/modules/evm/module.ts';
import { payoutModule } from '../../../src/devnet/modules/payout/module.ts';
import { rightsModule } from '../../../src/devnet/modules/rights/module.ts';
import { settlement as settlementModule } from '../../../src/devnet/modules/settlement/module.ts';
import { waterfall as waterfallModule } from '../../../src/devnet/modules/waterfall/module.ts';
import { createState } from '../../../src/devnet/state/state.ts';
import { SERVICES, serviceAccount, workloadAccounts } from '../../../src/devnet/workload/accounts.ts';
import { createWorkload } from '../../../src/devnet/workload/workload.ts';

const parameters: ChainParameters = {
  chainId: 'strata-devnet-1',
  evmChainId: 9001n,
  namespace: 'aeva',
  hrp: 'aeva',
  gasDenom: 'aaeva',
  stableDenom: 'uusd',
  minGasPrice: 1_000_000_000n,
  bridgeAuthority: serviceAccount('bridge-authority', 'aeva').address,
  relayer: serviceAccount('relayer', 'aeva').address,
};
const modules: Module[] = [
  authModule,
  bankModule,
  assetModule,
  attestationModule,
  payoutModule,
  rightsModule,
  settlementModule,
  encumbranceModule,
  delegationModule,
  waterfallModule,
  bridgeModule,
];

export async function run(
  seed: string,
  blocks: number,
  room: number,
  onBlock?: (
    height: number,
    txs: readonly Uint8Array[],
    results: readonly TxResult[],
    events: readonly AbciEvent[],
  ) => void,
) {
  const codec = openCodec({ namespace: 'aeva' });
  const state = createState();
  const app = createApp({
    parameters,
    codec,
    modules: [...modules, await createEvmModule()],
    state,
    maxGas: 40_000_000n,
    maxTxBytes: 1_000_000,
    verifies: true,
  });
  const accounts = [
    ...workloadAccounts(seed, 'aeva'),
    ...SERVICES.map((name) => serviceAccount(name, 'aeva')),
  ];
  let timeNs = 1_767_225_600_000_000_000n;
  await app.initGenesis(
    {
      auth: { accounts: accounts.map(({ address }) => ({ address })) },
      bank: {
        balances: accounts.map(({ address }) => ({
          address,
          coins: [
            { denom: 'aaeva', amount: String(10n ** 24n) },
            { denom: 'uusd', amount: String(10n ** 13n) },
          ],
        })),
      },
    } as JsonObject,
    timeNs,
  );
  const workload = createWorkload({
    seed,
    parameters,
    encoder: codec,
    contracts: genesisContracts(parameters),
    view: { reader: state, height: 0, timeNs },
  });
  let count = 0;
  for (let height = 1; height <= blocks; height++) {
    const txs = workload.plan({ reader: state, height: height - 1, timeNs }, room);
    timeNs += 5_000_000_000n;
    const { results, events } = await app.finalizeBlock({
      txs,
      height,
      timeNs,
      blockHash: new Uint8Array(32),
      proposer: new Uint8Array(20),
    });
    state.takeChanges();
    workload.observe({ txs, results }, { reader: state, height, timeNs });
    onBlock?.(height, txs, results, events);
    count += txs.length;
  }
  return { workload, app, count };
}
