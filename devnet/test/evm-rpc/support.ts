import { JsonRpcProvider, type Wallet } from 'ethers';
import { type Devnet, openDevnet, type SIX_DECIMALS } from '../../src/devnet.ts';
import { type EthereumRpcServer, startEthereumRpc } from '../../src/evm-rpc/server.ts';
import { genesisContracts } from '../../src/modules/evm/genesis.ts';
import { account, walletOf } from '../evm/support.ts';

/** A devnet in memory that makes a block as soon as a tx waits, its Ethereum JSON-RPC, and two funded wallets. */

export interface EthereumDevnet {
  readonly devnet: Devnet;
  readonly server: EthereumRpcServer;
  readonly provider: JsonRpcProvider;
  readonly alice: Wallet;
  readonly bob: Wallet;
  readonly at: ReturnType<typeof genesisContracts>;
  /** What the server did not foresee. */
  readonly errors: unknown[];
  close(): Promise<void>;
}

/** `makesBlocks` false: what is sent waits. */
export async function openEthereumDevnet({
  makesBlocks = true,
  parameters = {},
}: {
  readonly makesBlocks?: boolean;
  readonly parameters?: Partial<typeof SIX_DECIMALS>;
} = {}): Promise<EthereumDevnet> {
  const { gasDenom = 'aaeva', gasDecimals = 18 } = parameters;
  const wallets = [walletOf(1), walletOf(2)];
  const devnet = await openDevnet({
    clock: 'simulated',
    blockTimeMs: 0,
    parameters,
    accounts: wallets.map((wallet) => ({
      address: account(wallet),
      coins: [
        { denom: gasDenom, amount: 10n ** BigInt(6 + gasDecimals) },
        { denom: 'uusd', amount: 10n ** 15n },
      ],
    })),
  });
  const errors: unknown[] = [];
  const server = await startEthereumRpc({
    source: {
      chain: devnet.chain,
      codec: devnet.app.codec,
      parameters: devnet.parameters,
      readerAt: devnet.readerAt,
      simulations: devnet.simulations,
    },
    port: 0,
    onError: (error) => errors.push(error),
  });
  await devnet.produceBlock();
  if (makesBlocks) devnet.start();
  const provider = new JsonRpcProvider(server.url, undefined, { pollingInterval: 20, cacheTimeout: -1 });
  const [alice, bob] = wallets.map((wallet) => wallet.connect(provider)) as [Wallet, Wallet];
  return {
    devnet,
    server,
    provider,
    alice,
    bob,
    at: genesisContracts(devnet.parameters),
    errors,
    async close() {
      provider.destroy();
      await server.close();
      await devnet.stop();
    },
  };
}

/** Of a result that comes in pieces. */
export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}
