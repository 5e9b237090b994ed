import type { DecodedHeader } from './block.ts';
import type { RangeTables } from './columns.ts';
import { decodeEthereumMessage } from './ethereum.ts';
import {
  decodeEthereumResponse,
  type EthereumResponse,
  type EvmExecution,
  evmExecution,
  evmTxText,
  type FallbackOutcome,
} from './evm.ts';
import { unescapeCanonical } from './json-text.ts';
import type { AccountReader } from './parties.ts';
import { addEvmParties } from './parties.ts';
import { fallbackOutcome, type PrintedEvent, parseEvents, senderFromEvents } from './printed-events.ts';
import type { ProtoRegistry } from './proto/registry.ts';
import type { DecodeContext } from './range.ts';
import type { BlockResults, TxResult } from './results.ts';
import { type AnyMessage, decodeMessageResponses, decodeTxEnvelope } from './tx.ts';

export interface TxInput {
  readonly header: DecodedHeader;
  readonly txIndex: number;
  readonly bytes: Uint8Array;
  readonly hash: Uint8Array;
  readonly results: BlockResults;
  /** Accounts that events of the height name; grows. */
  readonly mentioned: Set<string>;
  /** Accounts that took part in a tx of the height; grows. */
  readonly heightParties: Set<string>;
  readonly unknownTypeUrls: Set<string>;
}

interface TxStage {
  readonly context: DecodeContext;
  readonly registry: ProtoRegistry;
  readonly accounts: AccountReader;
  readonly tables: RangeTables;
  /** An Ethereum message came, and the context has no denom for its amount. */
  readonly onMissingDenom: () => void;
}

const NO_RESPONSES: readonly AnyMessage[] = [];

/** Appends the rows of one tx: txs, tx_hashes, account_txs, evm_txs, evm_logs and its events. */
export class TxDecoder {
  readonly #stage: TxStage;
  readonly #ethereumTypeUrls: ReadonlySet<string>;

  constructor(stage: TxStage) {
    this.#stage = stage;
    this.#ethereumTypeUrls = new Set(stage.context.ethereumTypeUrls);
  }

  append(input: TxInput): void {
    const { tables, accounts } = this.#stage;
    const { header, txIndex } = input;
    const { text } = input.results;
    const result = input.results.txResults[txIndex] as TxResult;
    const envelope = decodeTxEnvelope(input.bytes);
    const method = envelope.messages[0]?.typeUrl ?? '';
    const executions = this.#executions(envelope.messages, result, text);
    const { parties } = result.events;

    const columns = tables.txs.columns;
    columns.height.u64(header.height);
    columns.tx_index.u32(txIndex);
    columns.hash.fixed(input.hash);
    columns.code.u32(result.code);
    columns.codespace.latin1(unescapeCanonical(result.codespace));
    columns.raw_log.latin1(result.code === 0 ? '' : unescapeCanonical(result.log));
    columns.gas_wanted.i64big(result.gasWanted);
    columns.gas_used.i64big(result.gasUsed);
    columns.block_time_ns.i64big(header.timeNs);
    columns.method.latin1(method);
    columns.msg_count.u32(envelope.messages.length);
    columns.event_count.u32(result.events.count);
    columns.msgs.latin1(this.#messagesText(envelope.messages, input.unknownTypeUrls));
    columns.fee.latin1(envelope.feeText);
    columns.evm.latin1Array(this.#evmTexts(executions));
    columns.events.copy(text, result.events.start, result.events.end);
    tables.txs.rows++;

    for (const account of result.events.mentioned) input.mentioned.add(account);
    this.#appendHash(input.hash, header.height, txIndex, -1, result.code);
    for (let msgIndex = 0; msgIndex < executions.length; msgIndex++) {
      const execution = executions[msgIndex];
      if (execution === undefined) continue;
      if (execution.ethHash !== undefined) {
        this.#appendHash(execution.ethHash, header.height, txIndex, msgIndex, result.code);
      }
      this.#appendExecution(execution, header.height, txIndex, msgIndex, input.mentioned);
      addEvmParties(execution, accounts, parties);
    }
    this.#addSigners(envelope.messages, executions, envelope.feePayer, parties);
    this.#appendParties(parties, header.height, txIndex, method);
    for (const party of parties) input.heightParties.add(party);
  }

  #messagesText(messages: readonly AnyMessage[], unknownTypeUrls: Set<string>): string {
    const unknown = (typeUrl: string) => {
      unknownTypeUrls.add(typeUrl);
    };
    let text = '[';
    for (let i = 0; i < messages.length; i++) {
      const { typeUrl, value } = messages[i] as AnyMessage;
      text += `${i === 0 ? '' : ','}${this.#stage.registry.renderAny(typeUrl, value, unknown)}`;
    }
    return `${text}]`;
  }

  /** By message index; undefined for messages that are not Ethereum's, or whose bytes cannot be read. */
  #executions(
    messages: readonly AnyMessage[],
    result: TxResult,
    text: Buffer,
  ): readonly (EvmExecution | undefined)[] {
    if (!messages.some((message) => this.#ethereumTypeUrls.has(message.typeUrl))) return [];
    const responses = readResponses(result);
    let parsed: readonly PrintedEvent[] | undefined;
    const events = () => {
      parsed ??= parseEvents(text, result.events);
      return parsed;
    };
    let ordinal = 0;
    return messages.map((message, msgIndex) => {
      if (!this.#ethereumTypeUrls.has(message.typeUrl)) return undefined;
      const call = attempt(() => decodeEthereumMessage(message.value));
      const response = responses[ordinal++];
      if (call === undefined) return undefined;
      const own = messages.length === 1 ? -1 : msgIndex;
      const sender =
        call.from ??
        senderFromEvents(events(), message.typeUrl, own, this.#stage.accounts) ??
        call.recoverSender() ??
        new Uint8Array(20);
      const outcome = {
        code: result.code,
        rawLog: unescapeCanonical(result.log),
        gasUsed: result.gasUsed,
      };
      const isTold = response !== undefined && (response.logs.length > 0 || !result.events.hasTxLogs);
      const fallback = isTold ? NO_FALLBACK : fallbackOutcome(events(), own);
      return evmExecution(call, response, sender, outcome, fallback);
    });
  }

  /** An entry per message up to the last Ethereum one. */
  #evmTexts(executions: readonly (EvmExecution | undefined)[]): string[] {
    const last = executions.findLastIndex((execution) => execution !== undefined);
    const { context, onMissingDenom } = this.#stage;
    if (last >= 0 && context.evmDenom === undefined) onMissingDenom();
    return executions
      .slice(0, last + 1)
      .map((execution) => (execution === undefined ? 'null' : evmTxText(execution, context.evmDenom ?? '')));
  }

  #appendHash(hash: Uint8Array, height: number, txIndex: number, msgIndex: number, code: number): void {
    const { tables } = this.#stage;
    const columns = tables.txHashes.columns;
    columns.hash.fixed(hash);
    columns.height.u64(height);
    columns.tx_index.u32(txIndex);
    columns.msg_index.i32(msgIndex);
    columns.code.u32(code);
    tables.txHashes.rows++;
  }

  #appendExecution(
    execution: EvmExecution,
    height: number,
    txIndex: number,
    msgIndex: number,
    mentioned: Set<string>,
  ): void {
    const { tables, accounts } = this.#stage;
    const { call } = execution;
    const columns = tables.evmTxs.columns;
    columns.height.u64(height);
    columns.tx_index.u32(txIndex);
    columns.msg_index.u32(msgIndex);
    columns.eth_hash.fixed(execution.ethHash ?? NO_BYTES);
    columns.tx_type.u8(call.txType);
    columns.nonce.u64big(call.nonce);
    columns.sender.fixed(execution.sender);
    columns.recipient.bytes(call.to ?? NO_BYTES);
    columns.contract.bytes(execution.contract ?? NO_BYTES);
    columns.value.u256be(toBigEndian(call.value));
    columns.gas_limit.u64big(call.gasLimit);
    columns.gas_used.u64big(execution.gasUsed);
    columns.status.u8(execution.status);
    columns.revert_reason.latin1(execution.revertReason);
    columns.selector.bytes(call.to === undefined ? NO_BYTES : call.input.subarray(0, 4));
    tables.evmTxs.rows++;
    const logs = tables.evmLogs.columns;
    for (const log of execution.logs) {
      logs.height.u64(height);
      logs.tx_index.u32(txIndex);
      logs.msg_index.u32(msgIndex);
      logs.log_index.u32(log.index);
      logs.address.fixed(log.address);
      logs.topic_count.u8(log.topics.length);
      logs.topic0.fixed(log.topics[0] ?? NO_BYTES);
      logs.topic1.fixed(log.topics[1] ?? NO_BYTES);
      logs.topic2.fixed(log.topics[2] ?? NO_BYTES);
      logs.topic3.fixed(log.topics[3] ?? NO_BYTES);
      logs.data.bytes(log.data);
      tables.evmLogs.rows++;
      const account = accounts.fromBytes(log.address);
      if (account !== '') mentioned.add(account);
    }
  }

  /** Signers by each message's descriptor, plus a fee payer; an Ethereum message's is its sender. */
  #addSigners(
    messages: readonly AnyMessage[],
    executions: readonly (EvmExecution | undefined)[],
    feePayer: string,
    parties: Set<string>,
  ): void {
    const { registry, accounts } = this.#stage;
    for (let i = 0; i < messages.length; i++) {
      const { typeUrl, value } = messages[i] as AnyMessage;
      if (executions[i] !== undefined) continue;
      const signers = attempt(() => registry.collectSigners(typeUrl.slice(1), value)) ?? [];
      for (const signer of signers) {
        const account = accounts.fromText(signer);
        if (account !== '') parties.add(account);
      }
    }
    const payer = feePayer === '' ? '' : accounts.fromText(feePayer);
    if (payer !== '') parties.add(payer);
  }

  #appendParties(parties: ReadonlySet<string>, height: number, txIndex: number, method: string): void {
    const { tables } = this.#stage;
    const columns = tables.accountTxs.columns;
    for (const account of parties) {
      columns.account.latin1(account);
      columns.height.u64(height);
      columns.tx_index.u32(txIndex);
      columns.method.latin1(method);
      tables.accountTxs.rows++;
    }
  }
}

const NO_BYTES = new Uint8Array(0);
const NO_FALLBACK: FallbackOutcome = { logs: [], vmError: '' };

/** The n-th Ethereum message pairs with the n-th MsgEthereumTxResponse. */
function readResponses(result: TxResult): readonly (EthereumResponse | undefined)[] {
  const all = result.data === '' ? NO_RESPONSES : decodeMessageResponses(Buffer.from(result.data, 'base64'));
  return all
    .filter(({ typeUrl }) => typeUrl.endsWith('.MsgEthereumTxResponse') || typeUrl.endsWith('.MsgEthereumTx'))
    .map((response) => attempt(() => decodeEthereumResponse(response.value)));
}

function toBigEndian(value: bigint): Uint8Array {
  if (value === 0n) return NO_BYTES;
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

/** Broken bytes never lose a block: what cannot be read is left out. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
