import { pino } from 'pino';
import { chainSection } from 'strata-devnet/chain-section';
import { type Devnet, openDevnet } from 'strata-devnet/devnet';
import { startRpc } from 'strata-devnet/rpc/server';
import { connectNode } from 'strata-kit/client/node';
import { DEFAULT_RISK } from 'strata-kit/desk-risk';
import { parseParameters } from 'strata-kit/parameters';
import { inlineSimulations } from '../../../../test/support/inline-simulations.ts';
import { type Chain, openChain } from '../../../src/chain.ts';
import type { AppSettings } from '../../../src/settings.ts';
import { testnetKeys } from '../../../src/testnet/keys.ts';

/** A devnet of its own in memory, behind a node, as the app sees it. */
export interface TestChain {
  readonly devnet: Devnet;
  readonly chain: Chain;
  readonly rpcUrl: string;
  readonly settings: AppSettings;
  close(): Promise<void>;
}

export const silent = pino({ level: 'silent' });

/** Blocks come every `blockTimeMs`, 20 unless told. */
export async function startTestChain({ blockTimeMs = 20 } = {}): Promise<TestChain> {
  const devnet = await openDevnet({ blockTimeMs, simulations: inlineSimulations });
  const rpc = await startRpc({ chain: devnet.chain, port: 0 });
  devnet.start();
  const parsed = parseParameters({});
  if (!('parameters' in parsed)) throw new Error(parsed.problem);
  const keys = testnetKeys();
  const settings: AppSettings = {
    rpcUrl: rpc.url,
    indexerUrl: 'http://127.0.0.1:1',
    evmRpcUrl: 'http://127.0.0.1:8545',
    folder: '/nowhere',
    databaseUrl: undefined,
    deskKey: keys.desk,
    faucetKey: keys.faucet,
    instruments: [],
    deskRisk: DEFAULT_RISK,
    isTestnet: true,
    chain: { ...parsed.parameters, ...chainSection(devnet.parameters) },
  };
  const chain = await openChain(connectNode(rpc.url), settings);
  return {
    devnet,
    chain,
    rpcUrl: rpc.url,
    settings,
    async close() {
      await rpc.close();
      await devnet.stop();
    },
  };
}
