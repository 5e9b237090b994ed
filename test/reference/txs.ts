/**
 * A second opinion on every tx of the recorded chain, written from the oracle files alone (the node's REST and
 * Ethereum JSON-RPC answers); it imports nothing of src/. Three facts come from blocks.jsonl.gz because no
 * oracle file has them: block times with their nanoseconds, block-level events, and the result of the failed
 * first inclusion of a tx whose hash stands in two blocks (REST answers by hash, so it knows only the later one).
 */

import { Transaction } from 'ethers';
import {
  type Attribute,
  type Coin,
  type EthereumLog,
  expectations,
  GAS_DENOM,
  type JsonObject,
  type Message,
  type NodeEvent,
  type OracleEvm,
  type OracleTx,
  oracleEvm,
  oracleTxs,
  recordedBlocks,
} from '../support/oracle.ts';
import { checksummed } from './addresses.ts';

/** As the API prints an EVMTx. */
export interface RefEvm {
  readonly eth_hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: Coin;
  readonly gas_used: number;
  readonly status: number;
  readonly revert_reason: string | null;
}

/** As the API prints an Event, but for `applied`, which depends on the modules in use. */
export interface RefEvent {
  readonly event_index: number;
  readonly type: string;
  readonly msg_index: number | null;
  readonly mode?: 'BeginBlock' | 'EndBlock';
  readonly attributes: readonly Attribute[];
  readonly decoded: JsonObject | null;
}

export interface RefTx {
  /** Upper-case hex. */
  readonly hash: string;
  readonly height: number;
  readonly txIndex: number;
  readonly code: number;
  readonly codespace: string;
  /** The API shows it only when code != 0. */
  readonly rawLog: string;
  readonly gasWanted: number;
  readonly gasUsed: number;
  readonly msgs: readonly Message[];
  readonly fee: readonly Coin[];
  /** Type URL of the first message. */
  readonly method: string;
  readonly blockTime: string;
  readonly events: readonly RefEvent[];
  readonly evm: RefEvm | null;
  /** EIP-55 address of the contract that the tx deployed. */
  readonly contract: string | null;
  readonly logs: readonly EthereumLog[];
}

export interface RefBlock {
  readonly height: number;
  readonly hash: string;
  readonly time: string;
  readonly proposer: string;
  readonly tx_count: number;
  /** Events of txs and block-level ones. */
  readonly event_count: number;
  /** Block-level events. */
  readonly events: readonly RefEvent[];
}

let txs: readonly RefTx[] | undefined;
let blocks: readonly RefBlock[] | undefined;

/** Every tx, ordered by (height, tx index). */
export function referenceTxs(): readonly RefTx[] {
  if (txs !== undefined) return txs;
  const evmAt = new Map(oracleEvm().map((line) => [`${line.height}/${line.index}`, line]));
  txs = oracleTxs()
    .map((line) => toTx(line, evmAt.get(`${line.height}/${line.index}`)))
    .sort((a, b) => a.height - b.height || a.txIndex - b.txIndex);
  return txs;
}

export function referenceTx(height: number, txIndex: number): RefTx {
  const tx = referenceTxs().find((one) => one.height === height && one.txIndex === txIndex);
  if (tx === undefined) throw new Error(`no tx ${height}/${txIndex}`);
  return tx;
}

/** Every block, ordered by height. */
export function referenceBlocks(): readonly RefBlock[] {
  if (blocks !== undefined) return blocks;
  const eventsOfTxs = new Map<number, number>();
  for (const tx of referenceTxs()) {
    eventsOfTxs.set(tx.height, (eventsOfTxs.get(tx.height) ?? 0) + tx.events.length);
  }
  blocks = recordedBlocks().map(({ height, block, block_results: results }) => {
    const events = (results.finalize_block_events ?? []).map(toEvent);
    return {
      height,
      hash: block.block_id.hash,
      time: block.block.header.time,
      proposer: block.block.header.proposer_address,
      tx_count: block.block.data.txs.length,
      event_count: events.length + (eventsOfTxs.get(height) ?? 0),
      events,
    };
  });
  return blocks;
}

function toTx(line: OracleTx, evm: OracleEvm | undefined): RefTx {
  const { height, index } = line;
  const { body, auth_info: authInfo } = line.rest.tx;
  const result = inclusionResult(line);
  return {
    hash: line.hash,
    height,
    txIndex: index,
    code: result.code,
    codespace: result.codespace,
    rawLog: result.log,
    gasWanted: Number(result.gas_wanted),
    gasUsed: Number(result.gas_used),
    msgs: body.messages,
    fee: authInfo.fee.amount,
    method: body.messages[0]?.['@type'] ?? '',
    blockTime: recordedBlock(height).block.block.header.time,
    events: result.events.map(toEvent),
    evm: evm === undefined ? null : toEvm(line, evm),
    contract: createdContract(evm),
    logs: evm?.receipt?.logs ?? [],
  };
}

/** The same bytes make the same hash, so body and fee hold for both inclusions; the result does not. */
function inclusionResult(line: OracleTx) {
  const response = line.rest.tx_response;
  if (Number(response.height) === line.height) return { ...response, log: response.raw_log };
  if (!expectations().hashes_in_two_blocks.some((twice) => twice.hash === line.hash)) {
    throw new Error(`${line.height}/${line.index} carries the answer of height ${response.height}`);
  }
  const result = recordedBlock(line.height).block_results.txs_results?.[line.index];
  if (result === undefined) throw new Error(`no result ${line.height}/${line.index}`);
  return result;
}

function recordedBlock(height: number) {
  const block = recordedBlocks()[height - 1];
  if (block?.height !== height) throw new Error(`block ${height} is not where it should be`);
  return block;
}

function toEvm(line: OracleTx, evm: OracleEvm): RefEvm {
  if (evm.tx === null || evm.receipt === null) return anteFailure(line, evm);
  const succeeded = evm.receipt.status === '0x1';
  return {
    eth_hash: evm.eth_hash,
    from: checksummed(evm.tx.from),
    to: evm.tx.to === null ? null : checksummed(evm.tx.to),
    value: { denom: GAS_DENOM, amount: BigInt(evm.tx.value).toString() },
    gas_used: Number(evm.receipt.gasUsed),
    status: succeeded ? 1 : 0,
    revert_reason: succeeded ? null : revertReason(evm),
  };
}

/** The Error(string), else the VM error: custom errors and panics have no text of their own (chain.md). */
function revertReason({ revert }: OracleEvm): string {
  if (revert?.decoded?.kind === 'Error(string)' && typeof revert.decoded.reason === 'string') {
    return revert.decoded.reason;
  }
  if (revert?.vm_error === undefined) throw new Error('a failed receipt without a vm_error');
  return revert.vm_error;
}

/** No receipt exists: the fields are those of the signed message, gas and log those of the tx (chain.md). */
function anteFailure(line: OracleTx, evm: OracleEvm): RefEvm {
  const message = line.rest.tx.body.messages[0];
  if (typeof message?.raw !== 'string' || typeof message.from !== 'string') throw new Error('not Ethereum');
  const signed = Transaction.from(message.raw);
  return {
    eth_hash: evm.eth_hash,
    from: checksummed(`0x${Buffer.from(message.from, 'base64').toString('hex')}`),
    to: signed.to,
    value: { denom: GAS_DENOM, amount: signed.value.toString() },
    gas_used: Number(line.rest.tx_response.gas_used),
    status: 0,
    revert_reason: line.rest.tx_response.raw_log,
  };
}

/** The node names an address for a creation that reverted, too; nothing was deployed there. */
function createdContract(evm: OracleEvm | undefined): string | null {
  const receipt = evm?.receipt;
  if (receipt?.status !== '0x1' || receipt.contractAddress === null) return null;
  return checksummed(receipt.contractAddress);
}

function toEvent(event: NodeEvent, eventIndex: number): RefEvent {
  const last = event.attributes.at(-1);
  const mode = last?.key === 'mode' ? last.value : undefined;
  return {
    event_index: eventIndex,
    type: event.type,
    msg_index: last?.key === 'msg_index' ? Number(last.value) : null,
    ...(mode === 'BeginBlock' || mode === 'EndBlock' ? { mode } : {}),
    attributes: event.attributes.map(({ key, value }) => ({ key, value })),
    decoded: event.type.includes('.') ? decodeTyped(event) : null,
  };
}

/** Typed events' values are JSON; the SDK's trailing attribute is not the proto's. */
function decodeTyped(event: NodeEvent): JsonObject {
  const own = event.attributes.at(-1)?.key === 'msg_index' ? event.attributes.slice(0, -1) : event.attributes;
  return Object.fromEntries(own.map(({ key, value }) => [key, JSON.parse(value)]));
}
