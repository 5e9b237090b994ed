import { toChecksumAddress } from 'strata-kit/address';
import { bytesToHex, hexTextToBytes, hexToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import { encodeRlp } from 'strata-kit/rlp';
import { WireReader } from '../core/wire.ts';
import type { EthereumCall } from './ethereum.ts';
import { quoteLatin1 } from './json-text.ts';

/** The outcome of one Ethereum message, from its MsgEthereumTxResponse (spec/chain.md section 1, "EVM outcome"). */
export interface EthereumResponse {
  readonly hash: Uint8Array | undefined;
  readonly logs: readonly EvmLog[];
  readonly ret: Uint8Array;
  /** Latin1. */
  readonly vmError: string;
  readonly gasUsed: bigint;
}

export interface EvmLog {
  readonly address: Uint8Array;
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
  /** The node's own number, never counted anew. */
  readonly index: number;
}

const NO_BYTES = new Uint8Array(0);
const NO_HASH = new Uint8Array(32);

/** Errors: WireError on broken bytes. */
export function decodeEthereumResponse(bytes: Uint8Array): EthereumResponse {
  const reader = new WireReader(bytes);
  const logs: EvmLog[] = [];
  let hash: Uint8Array | undefined;
  let ret: Uint8Array = NO_BYTES;
  let vmError = '';
  let gasUsed = 0n;
  while (reader.next()) {
    if (reader.field === 1) hash = hexField(reader, 32);
    else if (reader.field === 2) logs.push(readLog(reader.message()));
    else if (reader.field === 3) ret = reader.delimited();
    else if (reader.field === 4) vmError = reader.latin1();
    else if (reader.field === 5) gasUsed = reader.varintBig();
    else reader.skip();
  }
  return { hash, logs, ret, vmError, gasUsed };
}

function readLog(reader: WireReader): EvmLog {
  let address: Uint8Array = NO_BYTES;
  const topics: Uint8Array[] = [];
  let data: Uint8Array = NO_BYTES;
  let index = 0;
  while (reader.next()) {
    if (reader.field === 1) address = hexField(reader, 20) ?? NO_BYTES;
    else if (reader.field === 2) topics.push(hexField(reader, 32) ?? NO_BYTES);
    else if (reader.field === 3) data = reader.delimited();
    else if (reader.field === 8) index = reader.varint();
    else reader.skip();
  }
  return { address, topics, data, index };
}

/** The node prints addresses and hashes as text. */
function hexField(reader: WireReader, length: number): Uint8Array | undefined {
  reader.span();
  return hexTextToBytes(reader.bytes, reader.start, reader.end, length);
}

/** A log as a `tx_log` event prints it (ethermint), for results without a response. Undefined when it is none. */
export function parseTxLog(json: string): EvmLog | undefined {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(json) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const address = hexText(String(parsed.address ?? ''), 20);
  if (address === undefined) return undefined;
  const topics = Array.isArray(parsed.topics) ? parsed.topics : [];
  return {
    address,
    topics: topics.map((topic) => hexText(String(topic), 32) ?? NO_BYTES),
    data: typeof parsed.data === 'string' ? Buffer.from(parsed.data, 'base64') : NO_BYTES,
    index: Number(parsed.logIndex ?? 0),
  };
}

function hexText(text: string, length: number): Uint8Array | undefined {
  const bytes = hexToBytes(text.startsWith('0x') ? text.slice(2) : text);
  return bytes?.length === length ? bytes : undefined;
}

/** What Strata keeps of one Ethereum message. */
export interface EvmExecution {
  readonly call: EthereumCall;
  /** Undefined where neither the result nor the message tells it. */
  readonly ethHash: Uint8Array | undefined;
  readonly sender: Uint8Array;
  readonly gasUsed: bigint;
  readonly status: 0 | 1;
  /** Latin1, empty on success. */
  readonly revertReason: string;
  /** 20 bytes, when the message deployed a contract. */
  readonly contract: Uint8Array | undefined;
  readonly logs: readonly EvmLog[];
}

export interface TxOutcome {
  readonly code: number;
  /** Latin1, unescaped. */
  readonly rawLog: string;
  readonly gasUsed: bigint;
}

/** What events tell of a message whose result carries no response, or one without logs (old ethermint chains). */
export interface FallbackOutcome {
  readonly logs: readonly EvmLog[];
  /** Latin1; the `ethereumTxFailed` attribute of the ethereum_tx event. */
  readonly vmError: string;
}

/**
 * Joins a message with its response. Without one (the tx failed) the fields come from the message, gas from the tx,
 * status 0 and revert_reason = raw_log.
 */
export function evmExecution(
  call: EthereumCall,
  response: EthereumResponse | undefined,
  sender: Uint8Array,
  tx: TxOutcome,
  fallback: FallbackOutcome,
): EvmExecution {
  const vmError = response?.vmError ?? fallback.vmError;
  const status = tx.code === 0 && vmError === '' ? 1 : 0;
  const reason = tx.code !== 0 ? tx.rawLog : (decodeErrorString(response?.ret ?? NO_BYTES) ?? vmError);
  return {
    call,
    ethHash: response?.hash ?? call.hash(),
    sender,
    gasUsed: response?.gasUsed ?? tx.gasUsed,
    status,
    revertReason: status === 1 ? '' : reason,
    contract: status === 1 && call.to === undefined ? createdAddress(sender, call.nonce) : undefined,
    logs: response !== undefined && response.logs.length > 0 ? response.logs : fallback.logs,
  };
}

const ERROR_STRING_SELECTOR = '08c379a0';

function decodeErrorString(ret: Uint8Array): string | undefined {
  if (ret.length < 68 || bytesToHex(ret.subarray(0, 4)) !== ERROR_STRING_SELECTOR) return undefined;
  const offset = Number(BigInt(`0x${bytesToHex(ret.subarray(4, 36))}`));
  if (offset + 36 > ret.length) return undefined;
  const start = 4 + offset + 32;
  const length = Number(BigInt(`0x${bytesToHex(ret.subarray(4 + offset, start))}`));
  if (start + length > ret.length) return undefined;
  return Buffer.from(ret.subarray(start, start + length)).toString('latin1');
}

/** CREATE(sender, nonce): the last 20 bytes of keccak256(rlp([sender, nonce])). */
export function createdAddress(sender: Uint8Array, nonce: bigint): Uint8Array {
  return keccak256(encodeRlp([sender, nonce])).subarray(12);
}

/** The API's EVMTx (api.md section 2) as JSON text. `denom` is that of amounts with 18 decimals. */
export function evmTxText(execution: EvmExecution, denom: string): string {
  const { call } = execution;
  const to = call.to === undefined ? 'null' : `"${toChecksumAddress(call.to)}"`;
  const reason = execution.status === 1 ? 'null' : quoteLatin1(execution.revertReason);
  const ethHash = bytesToHex(execution.ethHash ?? NO_HASH);
  return `{"eth_hash":"0x${ethHash}","from":"${toChecksumAddress(execution.sender)}","to":${to},"value":{"denom":${quoteLatin1(denom)},"amount":"${call.value}"},"gas_used":${execution.gasUsed},"status":${execution.status},"revert_reason":${reason}}`;
}
