import { encodeBech32 } from 'strata-kit/address';
import { ChainError } from 'strata-kit/chain-error';
import type { Json } from 'strata-kit/proto-json';
import type { CheckResult } from '../comet/types.ts';
import { account } from '../modules/auth/keeper.ts';
import type { EthereumTx } from '../modules/evm/transaction.ts';
import { wrapEthereumTx } from '../modules/evm/wrap.ts';
import { extendedBalance } from '../modules/precisebank/keeper.ts';
import { type EthereumError, serverError } from './errors.ts';
import type { EthereumNode } from './node.ts';
import { bytesParam } from './params.ts';

/** The hash of the signed bytes. Errors: -32000 in go-ethereum's words, which wallets look for. */
export async function sendRawTransaction(node: EthereumNode, params: readonly Json[]): Promise<Json> {
  const raw = bytesParam(params[0], 'input');
  let tx: EthereumTx;
  let wrapped: Uint8Array;
  try {
    tx = node.read(raw);
    wrapped = wrapEthereumTx(node.codec, node.parameters, raw, node.read);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw serverError(refusedBytes(error));
  }
  const result = await node.chain.addTx(wrapped);
  if (result.code !== 0) throw refusal(node, tx, result);
  return tx.hash;
}

function refusedBytes({ code, message }: ChainError): string {
  if (code === 28) return 'invalid chain id for signer';
  if (code === 37) return 'only replay-protected (EIP-155) transactions allowed over RPC';
  if (code === 24) return 'invalid sender';
  return message;
}

function refusal(node: EthereumNode, tx: EthereumTx, { codespace, code, log }: CheckResult): EthereumError {
  const sender = encodeBech32(node.parameters.hrp, tx.from);
  const reader = node.readerAt(node.chain.latestHeight());
  if (codespace === 'undefined' && /lower than account nonce/.test(log)) {
    const next = nextNonce(node, sender, account(reader, sender)?.sequence ?? 0n);
    return serverError(`nonce too low: next nonce ${next}, tx nonce ${tx.nonce}`);
  }
  if (codespace === 'undefined' && /higher than account nonce/.test(log))
    return serverError(`nonce too high: ${log}`);
  if (codespace !== 'sdk') return serverError(log);
  switch (code) {
    case 5: {
      const held = extendedBalance(reader, node.parameters, sender);
      const cost = tx.gasLimit * tx.maxFeePerGas + tx.value;
      return serverError(
        `insufficient funds for gas * price + value: balance ${held}, tx cost ${cost}, overshot ${cost - held}`,
      );
    }
    case 11:
      return serverError(`intrinsic gas too low: gas ${tx.gasLimit}, minimum needed ${tx.intrinsicGas}`);
    case 13:
      return serverError(`transaction underpriced: ${log}`);
    case 19:
      return serverError('already known');
    default:
      return serverError(log);
  }
}

/** The Ethereum tx with this hash that waits for a block. */
export function pendingTx({ chain, blocks }: EthereumNode, hash: string): EthereumTx | undefined {
  const bytes = chain.waitingTx(hash);
  return bytes === undefined ? undefined : blocks.read(bytes).find((tx) => tx.hash === hash);
}

/** The nonce after those that wait, where `committed` is the account's. */
export function nextNonce({ chain }: EthereumNode, sender: string, committed: bigint): bigint {
  const next = chain.waitingSequence(sender);
  return next === undefined || next < committed ? committed : next;
}
