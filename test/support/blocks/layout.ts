/**
 * Synthetic blocks in the compact JSON that a node prints, for shapes that the recorded chain lacks. What goes into
 * the txs is made by the encoders of cosmjs, protobufjs and ethers; this file only prints JSON as Go does, which
 * test/support/blocks.test.ts holds against the recording. Texts are latin1: one char a byte of the node's UTF-8.
 */

import { createHash } from 'node:crypto';
import type { Attribute, Coin, Json } from '../oracle.ts';

/** What a decoder must read from the block: written beside each block by hand, never derived by decoding. */
export interface ExpectedBlock {
  /** Upper-case hex. */
  readonly hash: string;
  readonly parentHash: string;
  /** RFC 3339 as the API prints it: no trailing zeros of the fraction. */
  readonly time: string;
  /** Block-level events. */
  readonly events: readonly ExpectedEvent[];
  readonly txs: readonly ExpectedTx[];
}

export interface ExpectedTx {
  readonly hash: string;
  readonly code: number;
  readonly codespace: string;
  /** Empty for code 0, where the API does not show it. */
  readonly rawLog: string;
  readonly gasWanted: number;
  readonly gasUsed: number;
  readonly msgs: readonly Json[];
  /** Undefined where the specifications do not decide: a tx whose body does not parse. */
  readonly fee: readonly Coin[] | undefined;
  /** Empty for a tx without messages. */
  readonly method: string;
  /**
   * An entry per message up to the last Ethereum one, null for the others; empty where none is Ethereum's. Undefined
   * where the specifications do not decide: an Ethereum message whose signed bytes do not parse.
   */
  readonly evm: readonly (ExpectedEvm | null)[] | undefined;
  /** Canonical bech32 of rule 3, sorted. */
  readonly accounts: readonly string[];
  readonly events: readonly ExpectedEvent[];
}

/** `view` is the API's EVMTx; contract is the deployed contract's EIP-55 address. */
export interface ExpectedEvm {
  readonly view: {
    readonly eth_hash: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: Coin;
    readonly gas_used: number;
    readonly status: number;
    readonly revert_reason: string | null;
  };
  readonly contract: string | null;
  readonly logs: readonly ExpectedLog[];
}

export interface ExpectedLog {
  /** In the node's numbering. */
  readonly index: number;
  readonly address: string;
  readonly topics: readonly string[];
  /** 0x-hex. */
  readonly data: string;
}

/** event_index is the position in the list. */
export interface ExpectedEvent {
  readonly type: string;
  readonly msg_index: number | null;
  readonly mode?: 'BeginBlock' | 'EndBlock';
  readonly attributes: readonly Attribute[];
  readonly decoded: Json;
}

export interface SyntheticBlock {
  readonly name: string;
  readonly height: number;
  /** The `result` of /block, latin1. */
  readonly block: string;
  /** The `result` of /block_results, latin1. */
  readonly results: string;
  readonly expected: ExpectedBlock;
}

/** Where a block stands in its chain. */
export interface Place {
  readonly height: number;
  /** Upper-case hex, empty for the first block. */
  readonly parentHash: string;
}

/** A kind of block, to be placed into a chain. */
export interface BlockCase {
  readonly name: string;
  readonly build: (place: Place) => SyntheticBlock;
}

/** A string may be bytes, so that it can hold broken UTF-8. `raw` is JSON text that stands as it is. */
export type Printable =
  | null
  | boolean
  | number
  | string
  | Uint8Array
  | Verbatim
  | readonly Printable[]
  | { readonly [key: string]: Printable | undefined };

export class Verbatim {
  readonly text: string;
  constructor(latin1Text: string) {
    this.text = latin1Text;
  }
}

export interface EventInput {
  readonly type: string;
  /** Undefined leaves the list out, as Go's omitempty does. */
  readonly attributes?: readonly (readonly [
    key: string | Uint8Array,
    value: string | Uint8Array | Verbatim | null,
  ])[];
}

export interface TxInput {
  readonly bytes: Uint8Array;
  readonly code?: number;
  readonly codespace?: string;
  readonly data?: Uint8Array;
  readonly log?: string;
  readonly gasWanted?: number;
  readonly gasUsed?: number;
  readonly events?: readonly EventInput[];
  readonly expected: Pick<ExpectedTx, 'msgs'> & Partial<ExpectedTx>;
}

export interface BlockInput {
  readonly txs?: readonly TxInput[];
  readonly blockEvents?: readonly EventInput[];
  /** 0.34 and 0.37 have two lists; 0.34 prints keys and values in base64. */
  readonly endBlockEvents?: readonly EventInput[];
  readonly layout?: '0.38' | '0.37' | '0.34';
  readonly time?: string;
  readonly expectedTime?: string;
  readonly expectedEvents?: readonly ExpectedEvent[];
  /** Overrides the printed block_results. */
  readonly results?: Printable;
}

const EMPTY_HASH = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855';
const PROPOSER = '24559DD62BDE352D1F1034A43A4A3EEFA336A34B';
const CHAIN_ID = '9001';

export function buildBlock(name: string, place: Place, input: BlockInput): SyntheticBlock {
  const txs = input.txs ?? [];
  const seconds = String(place.height % 60).padStart(2, '0');
  const time = input.time ?? `2026-03-01T12:00:${seconds}.5Z`;
  const header = headerOf(place, time);
  const hash = sha256Hex(Buffer.from(printJson(header), 'latin1'));
  return {
    name,
    height: place.height,
    block: printJson({
      block_id: { hash, parts: { total: 1, hash: sha256Hex(Buffer.from(hash)) } },
      block: {
        header,
        data: { txs: txs.map((tx) => base64(tx.bytes)) },
        evidence: { evidence: [] },
        last_commit: {
          height: String(place.height - 1),
          round: 0,
          block_id: blockId(place.parentHash),
          signatures: [],
        },
      },
    }),
    results: printJson(input.results ?? resultsOf(place.height, txs, input)),
    expected: {
      hash,
      parentHash: place.parentHash,
      time: input.expectedTime ?? time,
      events: input.expectedEvents ?? expectEvents(input.blockEvents ?? []),
      txs: txs.map(expectTx),
    },
  };
}

function headerOf(place: Place, time: string): Printable {
  return {
    version: { block: '11' },
    chain_id: CHAIN_ID,
    height: String(place.height),
    time,
    last_block_id: blockId(place.parentHash),
    last_commit_hash: EMPTY_HASH,
    data_hash: EMPTY_HASH,
    validators_hash: EMPTY_HASH,
    next_validators_hash: EMPTY_HASH,
    consensus_hash: EMPTY_HASH,
    app_hash: EMPTY_HASH,
    last_results_hash: EMPTY_HASH,
    evidence_hash: EMPTY_HASH,
    proposer_address: PROPOSER,
  };
}

function blockId(hash: string): Printable {
  if (hash === '') return { hash: '', parts: { total: 0, hash: '' } };
  return { hash, parts: { total: 1, hash: sha256Hex(Buffer.from(hash)) } };
}

function resultsOf(height: number, txs: readonly TxInput[], input: BlockInput): Printable {
  const layout = input.layout ?? '0.38';
  const printEvent = layout === '0.34' ? event034 : event038;
  const txResults = txs.map((tx) => ({
    code: tx.code ?? 0,
    data: tx.data === undefined ? null : base64(tx.data),
    log: tx.log ?? '',
    info: '',
    gas_wanted: String(tx.gasWanted ?? 200_000),
    gas_used: String(tx.gasUsed ?? 100_000),
    events: (tx.events ?? []).map(printEvent),
    codespace: tx.codespace ?? '',
  }));
  // Go prints a slice that was never filled as null.
  const list = (items: readonly Printable[]): Printable => (items.length === 0 ? null : items);
  const blockEvents = list((input.blockEvents ?? []).map(printEvent));
  const endBlockEvents = list((input.endBlockEvents ?? []).map(printEvent));
  return {
    height: String(height),
    txs_results: list(txResults),
    ...(layout === '0.38'
      ? { finalize_block_events: blockEvents }
      : { begin_block_events: blockEvents, end_block_events: endBlockEvents }),
    validator_updates: null,
    consensus_param_updates: { block: { max_bytes: '22020096', max_gas: '40000000' } },
    ...(layout === '0.38' ? { app_hash: 'RshilvpoazQz5iaPwDE23WAxz8XxxX87Z9yYOVUEukg=' } : {}),
  };
}

function event038({ type, attributes }: EventInput): Printable {
  return { type, attributes: attributes?.map(([key, value]) => ({ key, value, index: true })) };
}

function event034({ type, attributes }: EventInput): Printable {
  const encode = (text: string | Uint8Array | Verbatim | null): Printable => {
    if (text === null || text instanceof Verbatim) return text;
    return base64(typeof text === 'string' ? Buffer.from(text) : text);
  };
  return {
    type,
    attributes: attributes?.map(([key, value]) => ({ key: encode(key), value: encode(value), index: true })),
  };
}

function expectTx(tx: TxInput): ExpectedTx {
  const [first] = tx.expected.msgs as readonly ({ readonly '@type'?: string } | undefined)[];
  return {
    hash: sha256Hex(tx.bytes),
    code: tx.code ?? 0,
    codespace: tx.codespace ?? '',
    rawLog: (tx.code ?? 0) === 0 ? '' : (tx.log ?? ''),
    gasWanted: tx.gasWanted ?? 200_000,
    gasUsed: tx.gasUsed ?? 100_000,
    fee: [],
    method: first?.['@type'] ?? '',
    evm: [],
    accounts: [],
    events: expectEvents(tx.events ?? []),
    ...tx.expected,
    ...(tx.expected.accounts === undefined ? {} : { accounts: [...new Set(tx.expected.accounts)].sort() }),
  };
}

/** For events whose texts need no decoding: the same words as went in. Others carry their expectation by hand. */
function expectEvents(events: readonly EventInput[]): readonly ExpectedEvent[] {
  return events.map(({ type, attributes }) => {
    const list = (attributes ?? []).map(([key, value]) => ({ key: String(key), value: String(value) }));
    const last = list.at(-1);
    return {
      type,
      msg_index: last?.key === 'msg_index' ? Number(last.value) : null,
      ...(last?.key === 'mode' ? { mode: last.value as 'BeginBlock' | 'EndBlock' } : {}),
      attributes: list,
      decoded: null,
    };
  });
}

/** JSON as Go's encoding/json prints it, as latin1 text; undefined members are left out. */
export function printJson(value: Printable): string {
  if (value instanceof Verbatim) return value.text;
  if (typeof value === 'string') return printString(Buffer.from(value, 'utf8'));
  if (value instanceof Uint8Array) return printString(value);
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${printString(Buffer.from(key))}:${printJson(member as Printable)}`).join(',')}}`;
}

const SHORT_ESCAPES: Readonly<Record<number, string>> = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

function printString(bytes: Uint8Array): string {
  let text = '"';
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] as number;
    if (byte < 0x80) {
      text +=
        SHORT_ESCAPES[byte] ??
        (byte < 32 || '<>&'.includes(String.fromCharCode(byte))
          ? unicodeEscape(byte)
          : String.fromCharCode(byte));
      at++;
      continue;
    }
    const rune = runeAt(bytes, at);
    if (rune === undefined) text += '\\ufffd';
    else if (rune === '\u2028' || rune === '\u2029') text += unicodeEscape(rune.charCodeAt(0));
    else text += Buffer.from(rune, 'utf8').toString('latin1');
    at += rune === undefined ? 1 : Buffer.byteLength(rune, 'utf8');
  }
  return `${text}"`;
}

/** The character whose UTF-8 starts here; undefined where the bytes are none. */
function runeAt(bytes: Uint8Array, at: number): string | undefined {
  const lead = bytes[at] as number;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(at, at + length));
  } catch {
    return undefined;
  }
}

function unicodeEscape(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`;
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export function sha256Hex(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').toUpperCase();
}
