import { type Devnet, type DevnetOptions, openDevnet } from 'strata-devnet/devnet';
import { devnetModules } from 'strata-devnet/modules';
import { genesisContracts } from 'strata-devnet/modules/evm/genesis';
import { createWorkload } from 'strata-devnet/workload/workload';
import { bech32Of, type Key, keyFromSeed } from 'strata-kit/client/keys';
import { buildTx } from 'strata-kit/client/tx';
import { openCodec } from 'strata-kit/codec/codec';
import type { Figure } from './support/report.ts';

const ACCOUNTS = 100;
const TXS_PER_BLOCK = 10;

/**
 * CPU of the process a tx in blocks of 10, the least of the rounds: signed sends through the mempool and straight into
 * blocks, with their signatures verified and not; and the workload's mixture, without the time to plan and sign it.
 */
export async function benchDevnet(rounds: number, blocks: number): Promise<Figure[]> {
  const count = blocks * TXS_PER_BLOCK;
  const runs: readonly (readonly [name: string, run: () => Promise<number>])[] = [
    ['a send, checked and verified by the mempool', () => sends(count, {}, true)],
    ['a send in a block, verified', () => sends(count, {}, false)],
    ['a send in a block, not verified', () => sends(count, { verifies: false }, false)],
    ['a tx of the workload, verified', () => mixture(blocks, {})],
    [
      'a tx of the workload, verified, by the library’s EVM loop',
      () => mixture(blocks, { modules: devnetModules({ evmLoop: 'library' }) }),
    ],
    [
      'a tx of the workload, not verified, no states kept',
      () => mixture(blocks, { verifies: false, keepsStates: false }),
    ],
  ];
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < rounds; round++) {
    for (const [at, [, run]] of runs.entries()) least[at] = Math.min(least[at] ?? 0, await run());
  }
  return runs.map(([name], at) => ({ name, value: least[at] ?? 0, unit: 'µs' }));
}

function senders(): Key[] {
  return Array.from({ length: ACCOUNTS }, (_, i) => keyFromSeed('secp256k1', 'bench', i));
}

/** Never the same txs twice: signatures that were verified are remembered. */
let signed = 0;

/** In the order of the accounts, whose numbers are those of the genesis. */
function signedSends(count: number): Uint8Array[] {
  signed += 1;
  const memo = String(signed);
  const codec = openCodec({ namespace: 'aeva' });
  const keys = senders();
  return Array.from({ length: count }, (_, i) => {
    const at = i % ACCOUNTS;
    const key = keys[at] as Key;
    const message = {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: bech32Of('aeva', key),
      to_address: bech32Of('aeva', keys[(at + 7) % ACCOUNTS] as Key),
      amount: [{ denom: 'uusd', amount: '1' }],
    };
    const fee = [{ denom: 'aaeva', amount: 200_000_000_000_000n }];
    const signer = { key, accountNumber: BigInt(at), sequence: BigInt(Math.floor(i / ACCOUNTS)) };
    return buildTx(codec, { messages: [message], fee, gasLimit: 200_000n, memo }, [signer], 'aeva_9111-1');
  });
}

async function sends(count: number, options: DevnetOptions, throughMempool: boolean): Promise<number> {
  const txs = signedSends(count);
  const coins = [
    { denom: 'aaeva', amount: 10n ** 24n },
    { denom: 'uusd', amount: 10n ** 12n },
  ];
  const accounts = senders().map((key) => ({ address: bech32Of('aeva', key), coins }));
  const devnet = await openDevnet({ clock: 'simulated', accounts, ...options });
  const before = process.cpuUsage();
  for (let from = 0; from < txs.length; from += TXS_PER_BLOCK) {
    const some = txs.slice(from, from + TXS_PER_BLOCK);
    if (throughMempool) for (const tx of some) await devnet.chain.addTx(tx);
    const { results } = await devnet.produceBlock(throughMempool ? {} : { txs: some });
    const failed = results.find(({ code }) => code !== 0);
    if (failed !== undefined || results.length !== some.length)
      throw new Error(`a send failed: ${failed?.log}`);
  }
  const spent = cpuSince(before);
  await devnet.stop();
  return spent / txs.length;
}

async function mixture(blocks: number, options: DevnetOptions): Promise<number> {
  signed += 1;
  const devnet = await openDevnet({ clock: 'simulated', seed: signed, ...options });
  const { parameters, app } = devnet;
  const workload = createWorkload({
    seed: String(signed),
    parameters,
    encoder: app.codec,
    contracts: genesisContracts(parameters),
    view: viewOf(devnet),
  });
  let spent = 0;
  let count = 0;
  for (let i = 0; i < blocks; i++) {
    const txs = workload.plan(viewOf(devnet), TXS_PER_BLOCK);
    const before = process.cpuUsage();
    const block = await devnet.produceBlock({ txs });
    spent += cpuSince(before);
    count += txs.length;
    workload.observe(block, viewOf(devnet));
  }
  await devnet.stop();
  return spent / count;
}

function viewOf({ app }: Devnet) {
  const { height, timeNs } = app.head();
  return { reader: app.state, height, timeNs };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
