import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { base64ToBytes, bytesToBase64, bytesToHex } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import type { JsonObject } from 'strata-kit/proto-json';
import type { MessageContext } from '../../app/module.ts';
import { account, setSequence } from '../auth/keeper.ts';
import { moduleAddress } from '../bank/keeper.ts';
import { changeWhole, sendExtended, settleFractions } from '../precisebank/keeper.ts';
import { baseFee, effectiveGasPrice } from './fees.ts';
import { blockBloom, blockCounts, setBlockBloom, setBlockCounts } from './keeper.ts';
import { addToBloom } from './logs.ts';
import type { BlockMoment, Machine, Outcome } from './machine.ts';
import { requireReceiver } from './precompiles.ts';
import { openSession } from './session.ts';
import type { EthereumTx } from './transaction.ts';

/** The module account through which the EVM's value passes. */
const EVM_ACCOUNT = 'evm';
const NO_HASH = `0x${'0'.repeat(64)}`;

export interface Execution {
  readonly machine: Machine;
  readonly read: (raw: Uint8Array) => EthereumTx;
}

/**
 * MsgEthereumTx after its ante. An execution that fails is a success of the tx: vm_error says why, and `ret` holds the
 * revert's data. Logs are told with hashes of zeros, and counted over the block's Ethereum txs that passed the ante.
 * Errors: sdk/4 where value would go to a module account.
 */
export async function ethereumTx(
  { machine, read }: Execution,
  context: MessageContext,
  message: JsonObject,
): Promise<JsonObject> {
  const tx = read(base64ToBytes(String(message.raw ?? '')));
  const gasPrice = effectiveGasPrice(context.parameters, tx);
  const counted = holdBackNonce(context, tx);
  const { session, release } = openSession(context);
  const outcome = await machine.execute(session, momentOf(context), { ...tx, gasPrice });
  release();
  counted();
  context.gas.consume(outcome.gasUsed, 'ethereum tx');
  moveBalances(context, outcome.balanceChanges);
  refund(context, tx, (tx.gasLimit - outcome.gasUsed) * gasPrice);
  const { txs, logs } = blockCounts(context.state);
  // the ante has counted all Ethereum txs of the tx
  const txIndex = txs - context.messageCount + context.messageIndex;
  setBlockCounts(context.state, { txs, logs: logs + outcome.logs.length });
  if (outcome.logs.length > 0)
    setBlockBloom(context.state, addToBloom(blockBloom(context.state), outcome.logs));
  emitOutcome(context, tx, outcome, txIndex);
  return {
    hash: tx.hash,
    logs: outcome.logs.map(([address, topics, data], i) => ({
      address: toChecksumAddress(address),
      topics: topics.map((topic) => `0x${bytesToHex(topic)}`),
      data: bytesToBase64(data),
      block_number: String(context.height),
      tx_hash: NO_HASH,
      tx_index: String(txIndex),
      block_hash: NO_HASH,
      index: String(logs + i),
      removed: false,
      block_timestamp: '0',
    })),
    ret: bytesToBase64(outcome.ret),
    vm_error: outcome.vmError,
    gas_used: String(outcome.gasUsed),
    max_used_gas: String(outcome.maxGasUsed),
    block_hash: bytesToBase64(context.blockHash),
    block_timestamp: String(secondsOf(context.timeNs)),
  };
}

/**
 * The ante has counted the nonce up for every Ethereum tx of the tx. Each runs with the nonce that follows its own, which
 * a created contract's address depends on. Answers what puts the account's nonce back.
 */
function holdBackNonce(context: MessageContext, { from, nonce }: EthereumTx): () => void {
  const sender = encodeBech32(context.parameters.hrp, from);
  const sequence = account(context.state, sender)?.sequence ?? 0n;
  if (sequence <= nonce + 1n) return () => {};
  setSequence(context, sender, nonce + 1n);
  return () => setSequence(context, sender, sequence);
}

export function momentOf(context: MessageContext): BlockMoment {
  return {
    height: BigInt(context.height),
    timestamp: secondsOf(context.timeNs),
    coinbase: context.proposer,
    baseFee: baseFee(context.parameters),
  };
}

export function secondsOf(timeNs: bigint): bigint {
  return timeNs / 1_000_000_000n;
}

/** As cosmos/evm tells the bank at the end of an execution: new coins to those who have more, coins of the others ended. */
export function moveBalances(context: MessageContext, changes: Outcome['balanceChanges']): void {
  for (const { account, change } of changes) if (change > 0n) requireReceiver(context, account);
  for (const change of settleFractions(context, changes)) changeWhole(context, EVM_ACCOUNT, change);
}

function refund(context: MessageContext, tx: EthereumTx, amount: bigint): void {
  if (amount === 0n) return;
  const collector = moduleAddress(context.parameters, 'fee_collector');
  sendExtended(context, collector, encodeBech32(context.parameters.hrp, tx.from), amount);
}

function emitOutcome(context: MessageContext, tx: EthereumTx, outcome: Outcome, txIndex: number): void {
  const attributes: (readonly [string, string])[] = [
    ['amount', String(tx.value)],
    ['ethereumTxHash', tx.hash],
    ['txIndex', String(txIndex)],
    ['txGasUsed', String(outcome.gasUsed)],
    ['txHash', bytesToHex(sha256(context.txBytes))],
  ];
  if (tx.to !== undefined) attributes.push(['recipient', toChecksumAddress(tx.to)]);
  if (outcome.vmError !== '') attributes.push(['ethereumTxFailed', outcome.vmError]);
  context.emitPlain('ethereum_tx', attributes);
  context.emitPlain('message', [
    ['module', 'evm'],
    ['sender', `0x${bytesToHex(tx.from)}`],
    ['txType', String(tx.type)],
  ]);
}
