import { Interface, type TransactionLike, Wallet } from 'ethers';
import { encodeBech32 } from 'strata-kit/address';
import { ChainError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Tx } from '../../src/app/tx.ts';
import { mint, moduleAddress, send } from '../../src/modules/bank/keeper.ts';
import { runEthereumAnte } from '../../src/modules/evm/ante.ts';
import { type Artifact, uniswapArtifact } from '../../src/modules/evm/artifact.ts';
import { LENDING_MARKET, MAKER, REVERTER } from '../../src/modules/evm/contracts/artifacts.ts';
import { deployContracts, genesisContracts } from '../../src/modules/evm/genesis.ts';
import { beginBlock } from '../../src/modules/evm/keeper.ts';
import { createMachine } from '../../src/modules/evm/machine.ts';
import { ethereumTx } from '../../src/modules/evm/messages.ts';
import { createTransactionReader } from '../../src/modules/evm/transaction.ts';
import { createContext, type PlainEvent, type TestContext } from '../support/context.ts';

/** The EVM without an app: a chain's state with the contracts of its genesis, and txs that go through ante and message. */

export const CHAIN_ID = 9_000n;
export const GAS_PRICE = 1_000_000_000n;

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly tx_index: string;
  readonly index: string;
}

export interface Response {
  readonly hash: string;
  readonly logs: readonly Log[];
  readonly ret: string;
  readonly vm_error: string;
  readonly gas_used: string;
}

export interface Delivered {
  readonly response: Response;
  readonly events: readonly PlainEvent[];
}

export type Sent = Omit<TransactionLike, 'from'>;

export interface EvmChain {
  readonly context: TestContext;
  readonly at: ReturnType<typeof genesisContracts>;
  /** Signs (nonce, gas limit, prices and chain id unless given) and delivers as a block would. */
  send(wallet: Wallet, tx: Sent): Promise<Delivered>;
  /** As `codespace/code: message`, whatever was written undone. */
  refusal(wallet: Wallet, tx: Sent, change?: (tx: Tx) => Tx): Promise<string>;
  /** Calls a contract's function. */
  call(
    wallet: Wallet,
    contract: { readonly to: string; readonly face: Interface },
    name: string,
    values: readonly unknown[],
    tx?: Sent,
  ): Promise<Delivered>;
  nextBlock(): void;
}

export const faces = {
  router: face(uniswapArtifact('UniswapV2Router02')),
  factory: face(uniswapArtifact('UniswapV2Factory')),
  pair: face(uniswapArtifact('UniswapV2Pair')),
  wrappedNative: face(uniswapArtifact('WETH9')),
  lendingMarket: face(LENDING_MARKET),
  reverter: face(REVERTER),
  maker: face(MAKER),
};

function face({ abi }: Artifact): Interface {
  return new Interface(abi);
}

export function account(wallet: { readonly address: string }): string {
  return encodeBech32('aeva', Buffer.from(wallet.address.slice(2), 'hex'));
}

export function walletOf(byte: number): Wallet {
  return new Wallet(`0x${byte.toString(16).padStart(2, '0').repeat(32)}`);
}

export async function createEvmChain(): Promise<EvmChain> {
  const context = createContext({ evmChainId: CHAIN_ID, minGasPrice: GAS_PRICE });
  const machine = await createMachine(CHAIN_ID);
  const read = createTransactionReader(CHAIN_ID);
  await deployContracts(machine, context, {});
  beginBlock(context.state, context.height, context.blockHash);
  const nonces = new Map<string, number>();

  async function sign(wallet: Wallet, tx: Sent): Promise<{ raw: Uint8Array; cosmos: Tx }> {
    const nonce = nonces.get(wallet.address) ?? 0;
    const full: Sent = {
      type: 2,
      chainId: CHAIN_ID,
      nonce,
      gasLimit: 5_000_000n,
      ...(tx.type === 0 || tx.type === 1
        ? { gasPrice: GAS_PRICE }
        : { maxFeePerGas: 2n * GAS_PRICE, maxPriorityFeePerGas: 0n }),
      ...tx,
    };
    const raw = Buffer.from((await wallet.signTransaction(full)).slice(2), 'hex');
    return { raw, cosmos: envelope(wallet, raw, full) };
  }

  async function run(raw: Uint8Array, cosmos: Tx): Promise<JsonObject> {
    runEthereumAnte(read, { ...context, mode: 'deliver', verifies: true }, cosmos);
    const message = cosmos.messages[0]?.value ?? {};
    return ethereumTx({ machine, read }, { ...context, txBytes: raw }, message);
  }

  async function deliver(wallet: Wallet, tx: Sent): Promise<Delivered> {
    const { raw, cosmos } = await sign(wallet, tx);
    const from = context.plain.length;
    const response = (await run(raw, cosmos)) as unknown as Response;
    nonces.set(wallet.address, (nonces.get(wallet.address) ?? 0) + 1);
    return { response, events: context.plain.slice(from) };
  }

  return {
    context,
    at: genesisContracts(context.parameters),
    send: deliver,
    async refusal(wallet, tx, change = (same) => same) {
      const { raw, cosmos } = await sign(wallet, tx);
      const mark = context.state.mark();
      try {
        await run(raw, change(cosmos));
      } catch (error) {
        if (!(error instanceof ChainError)) throw error;
        context.state.revert(mark);
        return `${error.codespace}/${error.code}: ${error.message}`;
      }
      throw new Error('nothing was refused');
    },
    call: (wallet, { to, face }, name, values, tx = {}) =>
      deliver(wallet, { to, data: face.encodeFunctionData(name, values), ...tx }),
    nextBlock() {
      context.height += 1;
      context.timeNs += 1_000_000_000n;
      beginBlock(context.state, context.height, context.blockHash);
    },
  };
}

function envelope(wallet: Wallet, raw: Uint8Array, tx: Sent): Tx {
  const price = BigInt(tx.maxFeePerGas ?? tx.gasPrice ?? 0);
  const gasLimit = BigInt(tx.gasLimit ?? 0);
  const value = {
    '@type': '/cosmos.evm.vm.v1.MsgEthereumTx',
    from: Buffer.from(wallet.address.slice(2), 'hex').toString('base64'),
    raw: Buffer.from(raw).toString('base64'),
  };
  return {
    bytes: raw,
    hash: '',
    bodyBytes: raw,
    authInfoBytes: raw,
    fieldCount: 0,
    messages: [{ typeUrl: '/cosmos.evm.vm.v1.MsgEthereumTx', value, signers: [] }],
    signers: [],
    memo: '',
    timeoutHeight: 0n,
    isUnordered: false,
    extensions: ['/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx'],
    signerInfos: [],
    signatures: [],
    fee: { coins: [{ denom: 'aaeva', amount: gasLimit * price }], gasLimit, payer: '', granter: '' },
  };
}

/** Coins out of nothing for an account. */
export function fund({ context }: EvmChain, wallet: Wallet, native: bigint, stable = 0n): void {
  for (const [denom, amount] of [
    ['aaeva', native],
    ['uusd', stable],
  ] as const) {
    if (amount === 0n) continue;
    mint(context, 'evm', [{ denom, amount }]);
    send(context, moduleAddress(context.parameters, 'evm'), account(wallet), [{ denom, amount }]);
  }
}
