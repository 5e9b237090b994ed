import { Interface, Wallet } from 'ethers';
import { createGasMeter } from 'strata-devnet/app/gas';
import type { MessageContext } from 'strata-devnet/app/module';
import { setSequence } from 'strata-devnet/modules/auth/keeper';
import { setBalance } from 'strata-devnet/modules/bank/keeper';
import { uniswapArtifact } from 'strata-devnet/modules/evm/artifact';
import { deployContracts, genesisContracts } from 'strata-devnet/modules/evm/genesis';
import { beginBlock } from 'strata-devnet/modules/evm/keeper';
import { createMachine } from 'strata-devnet/modules/evm/machine';
import { ethereumTx } from 'strata-devnet/modules/evm/messages';
import { createTransactionReader } from 'strata-devnet/modules/evm/transaction';
import { createState } from 'strata-devnet/state/state';
import { encodeBech32 } from 'strata-kit/address';
import { BENCH_PARAMETERS } from './devnet-parameters.ts';

/**
 * The devnet's EVM alone: `npx tsx bench/devnet-evm.ts [swaps]`. CPU time of this process, which other processes do not
 * change: a Uniswap swap as MsgEthereumTx without its ante, and the reading of a signed tx with the recovery of its key.
 */

const SWAPS = Number(process.argv[2] ?? 2_000);
const WARM_UP = 200;
const LATE = 4_000_000_000n;

const parameters = BENCH_PARAMETERS;
const state = createState();
const context: MessageContext = {
  state,
  parameters,
  height: 1,
  timeNs: 1_700_000_000n * 1_000_000_000n,
  blockHash: new Uint8Array(32),
  gas: createGasMeter(),
  emit: () => undefined,
  emitPlain: () => undefined,
  messageIndex: 0,
  messageCount: 1,
  txIndex: 0,
  txBytes: new Uint8Array(300),
  proposer: new Uint8Array(20),
};
const wallet = new Wallet(`0x${'11'.repeat(32)}`);
const account = encodeBech32('aeva', Buffer.from(wallet.address.slice(2), 'hex'));
setBalance(context, account, 'aaeva', 10n ** 30n);
setBalance(context, account, 'uusd', 10n ** 20n);

const machine = await createMachine(parameters.evmChainId);
const read = createTransactionReader(parameters.evmChainId);
await deployContracts(machine, context, {});
beginBlock(state, 1, new Uint8Array(32));
const at = genesisContracts(parameters);
const router = new Interface(uniswapArtifact('UniswapV2Router02').abi);
const pair = new Interface(uniswapArtifact('UniswapV2Pair').abi);

async function signed(to: string, data: string, value: bigint): Promise<Uint8Array> {
  const raw = await wallet.signTransaction({
    chainId: 9_000n,
    nonce,
    to,
    data,
    value,
    gasLimit: 5_000_000,
    gasPrice: 0,
  });
  nonce += 1;
  return Buffer.from(raw.slice(2), 'hex');
}

async function run(raw: Uint8Array): Promise<void> {
  setSequence(context, account, read(raw).nonce + 1n);
  const { vm_error: error } = await ethereumTx({ machine, read }, context, {
    raw: Buffer.from(raw).toString('base64'),
  });
  if (error !== '') throw new Error(String(error));
  state.takeChanges();
}

let nonce = 0;
await run(await signed(at.stable, pair.encodeFunctionData('approve', [at.router, 2n ** 256n - 1n]), 0n));
const liquidity = [at.stable, 10n ** 15n, 0, 0, wallet.address, LATE];
await run(await signed(at.router, router.encodeFunctionData('addLiquidityETH', liquidity), 10n ** 24n));
const path = [at.wrappedNative, at.stable];
const raws: Uint8Array[] = [];
for (let i = 0; i < SWAPS + WARM_UP; i++) {
  const data =
    i % 2 === 0
      ? router.encodeFunctionData('swapExactETHForTokens', [0, path, wallet.address, LATE])
      : router.encodeFunctionData('swapExactTokensForETH', [
          10n ** 6n,
          0,
          path.toReversed(),
          wallet.address,
          LATE,
        ]);
  raws.push(await signed(at.router, data, i % 2 === 0 ? 10n ** 15n : 0n));
}

report(
  'read and recover',
  timed(() => {
    for (const raw of raws) read(raw);
  }),
  raws.length,
);
for (const raw of raws.slice(0, WARM_UP)) await run(raw);
const before = process.cpuUsage();
for (const raw of raws.slice(WARM_UP)) await run(raw);
report('swap', cpuMs(before), SWAPS);

function timed(task: () => void): number {
  const from = process.cpuUsage();
  task();
  return cpuMs(from);
}

function cpuMs(from: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(from);
  return (user + system) / 1_000;
}

function report(what: string, ms: number, count: number): void {
  console.log(
    `${what}: ${(ms / count).toFixed(3)} ms of CPU each, ${Math.round((1_000 * count) / ms)} a second`,
  );
}
