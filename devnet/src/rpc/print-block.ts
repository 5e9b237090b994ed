import type { AbciEvent } from 'strata-kit/abci-event';
import { bytesToBase64 } from 'strata-kit/bytes';
import type { JsonObject } from 'strata-kit/proto-json';
import { base64OrNull, goJson, isPlain, quote } from 'strata-kit/rpc/go-json';
import { formatTimeNs } from 'strata-kit/time';
import type { Block, BlockId, Commit, Header, TxResult } from '../comet/types.ts';

/**
 * Blocks and results in the compact layout of a 0.38 node: by hand, since an indexer's backfill asks for thousands a
 * second.
 */

export function printBlockId({ hash, partsTotal, partsHash }: BlockId): string {
  return `{"hash":"${hash}","parts":{"total":${partsTotal},"hash":"${partsHash}"}}`;
}

export function printHeader(header: Header): string {
  const app = header.appVersion === 0 ? '' : `,"app":"${header.appVersion}"`;
  return `{"version":{"block":"${header.blockVersion}"${app}},"chain_id":${quote(header.chainId)},"height":"${header.height}","time":"${formatTimeNs(header.timeNs)}","last_block_id":${printBlockId(header.lastBlockId)},"last_commit_hash":"${header.lastCommitHash}","data_hash":"${header.dataHash}","validators_hash":"${header.validatorsHash}","next_validators_hash":"${header.nextValidatorsHash}","consensus_hash":"${header.consensusHash}","app_hash":"${header.appHash}","last_results_hash":"${header.lastResultsHash}","evidence_hash":"${header.evidenceHash}","proposer_address":"${header.proposerAddress}"}`;
}

export function printCommit(commit: Commit): string {
  const { height, blockId, validatorAddress, timeNs, signature } = commit;
  const signatures =
    height === 0
      ? ''
      : `{"block_id_flag":2,"validator_address":"${validatorAddress}","timestamp":"${formatTimeNs(timeNs)}","signature":"${bytesToBase64(signature)}"}`;
  return `{"height":"${height}","round":0,"block_id":${printBlockId(blockId)},"signatures":[${signatures}]}`;
}

/** The member `block` of /block. */
export function printInnerBlock({ header, txs, lastCommit }: Block): string {
  let printed = '';
  for (const tx of txs) printed += printed === '' ? `"${bytesToBase64(tx)}"` : `,"${bytesToBase64(tx)}"`;
  return `{"header":${printHeader(header)},"data":{"txs":[${printed}]},"evidence":{"evidence":[]},"last_commit":${printCommit(lastCommit)}}`;
}

/** The result of /block. */
export function printBlock(block: Block): string {
  return `{"block_id":${printBlockId(block.id)},"block":${printInnerBlock(block)}}`;
}

/** The result of /block_results; `paramUpdates` is the text of its consensus_param_updates. */
export function printBlockResults(block: Block, paramUpdates: string): string {
  const results = block.results.length === 0 ? 'null' : printTxResults(block.results);
  const events = block.events.length === 0 ? 'null' : printBlockEvents(block.events);
  return `{"height":"${block.header.height}","txs_results":${results},"finalize_block_events":${events},${printUpdates(block, paramUpdates)}}`;
}

function printUpdates(block: Block, paramUpdates: string): string {
  return `"validator_updates":null,"consensus_param_updates":${paramUpdates},"app_hash":${printAppHash(block)}`;
}

function printAppHash(block: Block): string {
  return `"${Buffer.from(block.nextAppHash, 'hex').toString('base64')}"`;
}

/** What a NewBlock event tells of the block's execution: the same without what is empty. */
export function printFinalized(block: Block, paramUpdates: string): string {
  const events = block.events.length === 0 ? '' : `"events":${printBlockEvents(block.events)},`;
  const results = block.results.length === 0 ? '' : `"tx_results":${printTxResults(block.results)},`;
  return `{${events}${results}"validator_updates":[],"consensus_param_updates":${paramUpdates},"app_hash":${printAppHash(block)}}`;
}

export function printTxResults(results: readonly TxResult[]): string {
  let printed = '[';
  for (let i = 0; i < results.length; i++) {
    if (i > 0) printed += ',';
    printed += printTxResult(results[i] as TxResult);
  }
  return `${printed}]`;
}

export function printTxResult(result: TxResult): string {
  const { code, data, log, gasWanted, gasUsed, events, codespace } = result;
  return `{"code":${code},"data":${base64OrNull(data)},"log":${quote(log)},"info":"","gas_wanted":"${gasWanted}","gas_used":"${gasUsed}","events":${printTxEvents(events)},"codespace":${quote(codespace)}}`;
}

/** Of a tx's result, which prints fields that are empty. */
export function printTxEvents(events: readonly AbciEvent[]): string {
  let printed = '[';
  for (let i = 0; i < events.length; i++) {
    const { type, attributes } = events[i] as AbciEvent;
    printed += i === 0 ? FIRST_TYPES.text(type) : NEXT_TYPES.text(type);
    printed += attributes.length === 0 ? ',"attributes":[]}' : printAttributes(attributes);
  }
  return `${printed}]`;
}

/** Of a block, which leaves them out. */
function printBlockEvents(events: readonly AbciEvent[]): string {
  let printed = '[';
  for (let i = 0; i < events.length; i++) {
    const { type, attributes } = events[i] as AbciEvent;
    printed += i === 0 ? FIRST_TYPES.text(type) : NEXT_TYPES.text(type);
    printed += attributes.length === 0 ? '}' : printAttributes(attributes);
  }
  return `${printed}]`;
}

/** The end of an event. In few pieces, since each costs twice: when it is added and when the whole is made bytes. */
function printAttributes(attributes: AbciEvent['attributes']): string {
  let printed = '';
  for (let i = 0; i < attributes.length; i++) {
    const [key, value] = attributes[i] as readonly [string, string];
    printed += i === 0 ? FIRST_KEYS.text(key) : NEXT_KEYS.text(key);
    printed += isPlain(value) ? value : quote(value).slice(1, -1);
    printed += '","index":true}';
  }
  return `${printed}]}`;
}

/** The genesis' parameters as protobuf's JSON prints them: without what is zero. */
export function printParamUpdates(genesis: JsonObject): string {
  const params = genesis.consensus_params as JsonObject | undefined;
  if (params === undefined || params === null) return 'null';
  const { block, evidence, validator, version, abci } = params as Readonly<
    Record<string, JsonObject | undefined>
  >;
  const filled = (part: JsonObject | undefined) =>
    Object.fromEntries(Object.entries(part ?? {}).filter(([, value]) => value !== '0' && value !== 0));
  return goJson({ block, evidence, validator, version: filled(version), abci: filled(abci) });
}

/** What stands around types and keys, which are few and the same in every block. */
class Phrases {
  readonly #texts = new Map<string, string>();
  readonly #print: (quoted: string) => string;

  constructor(print: (quoted: string) => string) {
    this.#print = print;
  }

  text(word: string): string {
    const known = this.#texts.get(word);
    if (known !== undefined) return known;
    const text = this.#print(quote(word));
    if (this.#texts.size < MAX_PHRASES) this.#texts.set(word, text);
    return text;
  }
}

const MAX_PHRASES = 10_000;
const FIRST_TYPES = new Phrases((type) => `{"type":${type}`);
const NEXT_TYPES = new Phrases((type) => `,{"type":${type}`);
const FIRST_KEYS = new Phrases((key) => `,"attributes":[{"key":${key},"value":"`);
const NEXT_KEYS = new Phrases((key) => `,{"key":${key},"value":"`);
