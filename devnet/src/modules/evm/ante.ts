import { encodeBech32 } from 'strata-kit/address';
import { base64ToBytes, bytesToHex, equalBytes } from 'strata-kit/bytes';
import { ChainError, sdkError } from 'strata-kit/chain-error';
import type { AnteContext, AnteOutcome, KnownAs } from '../../app/module.ts';
import type { Tx, TxMessage } from '../../app/tx.ts';
import { ensureAccount, setSequence } from '../auth/keeper.ts';
import { moduleAddress } from '../bank/keeper.ts';
import { extendedBalance, sendExtended } from '../precisebank/keeper.ts';
import { baseFee, effectiveGasPrice } from './fees.ts';
import { blockCounts, codeOf, setBlockCounts } from './keeper.ts';
import { BLOCK_GAS_LIMIT } from './machine.ts';
import type { EthereumTx } from './transaction.ts';
import { FREE_NS } from './work.ts';

export const MSG_ETHEREUM_TX = '/cosmos.evm.vm.v1.MsgEthereumTx';
export const EXTENSION = '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx';

/**
 * The checks before the Ethereum txs in a tx, in the words of cosmos/evm 0.6 (ante/evm/mono_decorator.go). One tx may hold
 * several, as chains of Ethermint and of cosmos/evm up to 0.4 have them. Each pays and counts by itself, in their order.
 * What the checks write stays when an execution fails: fees, nonces, places among the block's Ethereum txs.
 *
 * Only a block takes several, the workload's. Nobody signs what holds them together, so anyone could put the waiting txs
 * of others into one that fails. The mempool refuses it, as cosmos/evm does.
 *
 * Errors: sdk/2, 24, 28, 37 (the signed bytes), sdk/18 (the envelope), sdk/21 (size), sdk/13 (price), sdk/11 (intrinsic
 * gas), sdk/5 (balance), undefined/1 (nonce).
 */
export function runEthereumAnte(
  read: (raw: Uint8Array) => EthereumTx,
  context: AnteContext,
  tx: Tx,
): AnteOutcome {
  const count = tx.messages.length;
  if (count === 0 || (count > 1 && context.mode !== 'deliver'))
    throw invalid(`expected 1 message, got ${count}`);
  const ethereumTxs = tx.messages.map((message) => unwrap(read, message));
  checkEnvelope(context, tx, ethereumTxs);
  let freeWorkNs = 0;
  const admitted: KnownAs[] = [];
  for (const ethereumTx of ethereumTxs) {
    admitted.push(admit(context, ethereumTx));
    // a tx with its intrinsic gas alone, such as a plain transfer, executes nothing
    if (ethereumTx.gasLimit > ethereumTx.intrinsicGas) freeWorkNs += FREE_NS;
  }
  const [known] = admitted;
  return {
    gasWanted: tx.fee.gasLimit,
    chargesState: false,
    senders: admitted.map(({ sender }) => sender),
    freeWorkNs,
    // the mempool takes a single one
    ...(known === undefined || count > 1 ? {} : { known }),
  };
}

function admit(context: AnteContext, ethereumTx: EthereumTx): KnownAs {
  checkPrice(context, ethereumTx);
  if (ethereumTx.gasLimit < ethereumTx.intrinsicGas) {
    throw sdkError(
      'outOfGas',
      `gas limit too low: ${ethereumTx.gasLimit} (gas limit) < ${ethereumTx.intrinsicGas} (intrinsic gas): out of gas`,
    );
  }
  const sender = encodeBech32(context.parameters.hrp, ethereumTx.from);
  checkSender(context, sender, ethereumTx);
  takeFee(context, sender, ethereumTx);
  takeNonce(context, sender, ethereumTx);
  const { txs, logs } = blockCounts(context.state);
  setBlockCounts(context.state, { txs: txs + 1, logs });
  context.emitPlain('ethereum_tx', [
    ['ethereumTxHash', ethereumTx.hash],
    ['txIndex', String(txs)],
  ]);
  return { hash: ethereumTx.hash, sender, sequence: ethereumTx.nonce };
}

function unwrap(read: (raw: Uint8Array) => EthereumTx, { typeUrl, value }: TxMessage): EthereumTx {
  if (typeUrl !== MSG_ETHEREUM_TX)
    throw sdkError(
      'unknownRequest',
      `invalid message type ${typeUrl}, expected ${MSG_ETHEREUM_TX}: unknown request`,
    );
  const ethereumTx = read(base64ToBytes(String(value.raw ?? '')));
  if (!equalBytes(base64ToBytes(String(value.from ?? '')), ethereumTx.from))
    throw sdkError(
      'invalidSigner',
      'signature verification failed; sender does not match the given signer: tx intended signer does not match the given signer',
    );
  return ethereumTx;
}

function checkEnvelope({ parameters }: AnteContext, tx: Tx, ethereumTxs: readonly EthereumTx[]): void {
  if (tx.memo !== '') throw invalid('for eth tx memo should be empty');
  if (tx.timeoutHeight !== 0n) throw invalid('for eth tx TimeoutHeight should be zero');
  if (tx.extensions.length !== 1) throw invalid('for eth tx length of ExtensionOptions should be 1');
  if (tx.signerInfos.length > 0) throw invalid('for eth tx AuthInfo SignerInfos should be empty');
  if (tx.signatures.length > 0) throw invalid('for eth tx Signatures should be empty');
  if (tx.fee.payer !== '' || tx.fee.granter !== '')
    throw invalid('for eth tx AuthInfo Fee payer and granter should be empty');
  const offered = tx.fee.coins.reduce((sum, { amount }) => sum + amount, 0n);
  const gasLimit = ethereumTxs.reduce((sum, one) => sum + one.gasLimit, 0n);
  const needed = ethereumTxs.reduce((sum, one) => sum + one.gasLimit * one.maxFeePerGas, 0n);
  if (tx.fee.coins.some(({ denom }) => denom !== parameters.evmDenom) || offered !== needed)
    throw invalid(`invalid AuthInfo Fee Amount (${offered} != ${needed})`);
  if (tx.fee.gasLimit !== gasLimit)
    throw invalid(`invalid AuthInfo Fee GasLimit (${tx.fee.gasLimit} != ${gasLimit})`);
  if (gasLimit > BLOCK_GAS_LIMIT)
    throw sdkError(
      'outOfGas',
      `tx gas (${gasLimit}) exceeds block gas limit (${BLOCK_GAS_LIMIT}): out of gas`,
    );
}

function checkPrice({ parameters }: AnteContext, { maxFeePerGas, maxPriorityFeePerGas }: EthereumTx): void {
  if (maxPriorityFeePerGas > maxFeePerGas) {
    throw sdkError(
      'insufficientFee',
      `max priority fee per gas higher than max fee per gas (${maxPriorityFeePerGas} > ${maxFeePerGas}): insufficient fee`,
    );
  }
  const base = baseFee(parameters);
  if (maxFeePerGas < base) {
    throw sdkError(
      'insufficientFee',
      `the tx gasfeecap is lower than the tx baseFee: ${maxFeePerGas} (gasfeecap), ${base} (basefee) : insufficient fee`,
    );
  }
}

function checkSender(context: AnteContext, sender: string, tx: EthereumTx): void {
  if (codeOf(context.state, bytesToHex(tx.from)).length > 0)
    throw sdkError('invalidAddress', `the sender is not EOA: address ${sender}: invalid address`);
  const held = extendedBalance(context.state, context.parameters, sender);
  const cost = tx.gasLimit * tx.maxFeePerGas + tx.value;
  if (held < cost) {
    throw sdkError(
      'insufficientFunds',
      `failed to check sender balance: sender balance < tx cost (${held} < ${cost}): insufficient funds`,
    );
  }
}

function takeFee(context: AnteContext, sender: string, tx: EthereumTx): void {
  const { evmDenom } = context.parameters;
  const amount = tx.gasLimit * effectiveGasPrice(context.parameters, tx);
  if (amount > 0n) sendExtended(context, sender, moduleAddress(context.parameters, 'fee_collector'), amount);
  context.emitPlain('tx', [['fee', amount > 0n ? `${amount}${evmDenom}` : '']]);
}

/** The recorded chain answers both with code 1 of no codespace. */
function takeNonce(context: AnteContext, sender: string, { nonce }: EthereumTx): void {
  const { sequence } = ensureAccount(context, sender);
  if (nonce < sequence) {
    throw new ChainError(
      'undefined',
      1,
      `invalid nonce; got ${nonce}, expected ${sequence}: tx nonce is lower than account nonce`,
    );
  }
  if (nonce > sequence) {
    throw new ChainError(
      'undefined',
      1,
      `tx nonce: ${nonce}, account accountNonce: ${sequence}: tx nonce is higher than account nonce`,
    );
  }
  setSequence(context, sender, sequence + 1n);
}

function invalid(reason: string): ChainError {
  return sdkError('invalidRequest', `${reason}: invalid request`);
}
