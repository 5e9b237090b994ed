import type { Codec } from '../codec/codec.ts';
import type { Coin } from '../coin.ts';
import type { JsonObject } from '../proto-json.ts';
import { accountState, queryChain, simulatedGas } from './accounts.ts';
import { ClientError, inputError } from './errors.ts';
import { bech32Of, type Key } from './keys.ts';
import type { Node } from './node.ts';
import { buildTx, type TxContent, type TxSigner, unsignedTx } from './tx.ts';

/** What a tx is to be; the node is asked for what is left out. */
export interface TxRequest {
  readonly messages: readonly JsonObject[];
  readonly key: Key;
  readonly hrp: string;
  readonly memo: string;
  readonly chainId: string | undefined;
  readonly accountNumber: bigint | undefined;
  readonly sequence: bigint | undefined;
  /** Undefined: what a simulation takes, times the adjustment. */
  readonly gas: bigint | undefined;
  readonly gasAdjustment: number;
  /** Undefined: the gas at the node's least price. */
  readonly fees: readonly Coin[] | undefined;
  /** The last block that may hold it, 0n: any. Undefined: 100 blocks from now. */
  readonly timeoutHeight: bigint | undefined;
}

export interface PreparedTx {
  readonly content: TxContent;
  readonly signer: TxSigner;
  readonly chainId: string;
  /** TxRaw. */
  readonly bytes: Uint8Array;
}

/** What a tx says that is only simulated, which has no limit. */
const SIMULATED_GAS = 200_000n;

/** So that a tx whose answer was lost is decided in minutes, and never included much later. */
const TIMEOUT_BLOCKS = 100;

/** A signed tx. Errors: input for another chain or another signer; the ChainError with which a simulation fails. */
export async function prepareTx(codec: Codec, node: Node, request: TxRequest): Promise<PreparedTx> {
  const { messages, key, hrp, memo } = request;
  const address = bech32Of(hrp, key);
  checkSigners(codec, messages, address);
  const signer = await signerOf(codec, node, request, address);
  const { chainId, timeoutHeight } = await termsOf(node, request);
  const contentOf = (gasLimit: bigint, fee: readonly Coin[]): TxContent => {
    return { messages, memo, gasLimit, fee, timeoutHeight };
  };
  let { gas } = request;
  if (gas === undefined) {
    // with a fee, since taking one costs gas too
    const fee = request.fees ?? (await leastFee(codec, node, SIMULATED_GAS));
    const tx = unsignedTx(codec, contentOf(SIMULATED_GAS, fee), [signer]);
    const used = await simulatedGas(codec, node, tx);
    gas = (used * BigInt(Math.round(request.gasAdjustment * 1_000)) + 999n) / 1_000n;
  }
  const content = contentOf(gas, request.fees ?? (await leastFee(codec, node, gas)));
  return { content, signer, chainId, bytes: buildTx(codec, content, [signer], chainId) };
}

function checkSigners(codec: Codec, messages: readonly JsonObject[], address: string): void {
  for (const message of messages) {
    const type = String(message['@type']);
    const other = codec.signersOf(type, message).find((signer) => signer !== address);
    if (other !== undefined) throw inputError(`${type} is signed by ${other}, not by ${address}`);
  }
}

async function signerOf(codec: Codec, node: Node, request: TxRequest, address: string): Promise<TxSigner> {
  const { key, accountNumber, sequence } = request;
  if (accountNumber !== undefined && sequence !== undefined) return { key, accountNumber, sequence };
  const state = await accountState(codec, node, address);
  if (state === undefined) {
    throw new ClientError('node', `the chain has no account ${address}: send it coins first`);
  }
  return { key, accountNumber: accountNumber ?? state.number, sequence: sequence ?? state.sequence };
}

async function termsOf(
  node: Node,
  { chainId, accountNumber, sequence, timeoutHeight }: TxRequest,
): Promise<{ readonly chainId: string; readonly timeoutHeight: bigint }> {
  const isOffline = accountNumber !== undefined && sequence !== undefined;
  if (chainId !== undefined && timeoutHeight !== undefined && isOffline) return { chainId, timeoutHeight };
  const status = await node.status();
  if (chainId !== undefined && chainId !== status.chainId) {
    throw inputError(`the node's chain is ${status.chainId}, not ${chainId}`);
  }
  return {
    chainId: status.chainId,
    timeoutHeight: timeoutHeight ?? BigInt(status.height + TIMEOUT_BLOCKS),
  };
}

/** At the first price of `minimum_gas_price`, rounded up. */
async function leastFee(codec: Codec, node: Node, gas: bigint): Promise<readonly Coin[]> {
  const config = await queryChain(codec, node, '/cosmos.base.node.v1beta1.Service/Config', {});
  const price = /^(\d+)(?:\.(\d{1,18}))?([a-zA-Z][^,]*)/.exec(String(config.minimum_gas_price));
  if (price === null) return [];
  const [, whole = '', fraction = '', denom = ''] = price;
  const scale = 10n ** BigInt(fraction.length);
  const amount = (gas * BigInt(whole + fraction) + scale - 1n) / scale;
  return amount === 0n ? [] : [{ denom, amount }];
}
