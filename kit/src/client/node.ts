import type { AbciEvent } from '../abci-event.ts';
import { excerptOf } from '../excerpt.ts';
import { connectHttp, type HttpService } from '../http/client.ts';
import { HttpFailure } from '../http/failure.ts';
import { trustedCertificates } from '../http/trusted.ts';
import { linkAbort } from '../linked-abort.ts';
import { parseTimeNs } from '../time.ts';
import { txsOfBlock } from './block.ts';
import { ClientError } from './errors.ts';

/** A node's CometBFT RPC, as far as a client of accounts needs it. Errors: ClientError node and timeout. */
export interface Node {
  status(): Promise<NodeStatus>;
  /** The value, or the refusal of the query. */
  query(path: string, data: Uint8Array, signal?: AbortSignal): Promise<QueryResult>;
  /**
   * The txs of a block, in its order, which its hash covers. Errors also where the node has not, or no longer, such a block.
   */
  blockTxs(height: number): Promise<readonly Uint8Array[]>;
  /** What the mempool says of a tx. */
  broadcast(tx: Uint8Array): Promise<Checked>;
  /** The tx in its block, by its hash (upper-case hex); undefined as long as the node's index of txs has none. */
  tx(hash: string): Promise<Included | undefined>;
}

export interface NodeStatus {
  readonly chainId: string;
  readonly height: number;
  readonly timeNs: bigint;
}

export interface Refusal {
  readonly codespace: string;
  readonly code: number;
  /** At most 500 characters of the node's text. */
  readonly log: string;
}

export interface QueryResult extends Refusal {
  /** Of the state that was asked. */
  readonly height: number;
  readonly value: Uint8Array;
}

export interface Checked extends Refusal {
  readonly hash: string;
}

export interface Included extends Checked {
  readonly height: number;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly events: readonly AbciEvent[];
}

export interface NodeOptions {
  /** Of one request. */
  readonly requestMs?: number;
  readonly signal?: AbortSignal;
  /** Header fields that the node wants. Their values are secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A file of PEM certificates that the node may have besides the bundled ones. */
  readonly caPath?: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A node's code for too many requests. */
const BUSY = -32_005;
/** Requests at a time, and those that may wait besides. */
const CONNECTIONS = 64;
const MAX_IN_FLIGHT = 512;
/** A block in base64 with its txs; the largest answer that a client of accounts asks for. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * `user:password@` of the address is sent to the node and shown nowhere. Errors: input for no URL; config_invalid for a CA
 * file that cannot be read.
 */
export function connectNode(address: string, options: NodeOptions = {}): Node {
  const { requestMs = 10_000, signal } = options;
  const service = serviceAt(address, requestMs, options);
  const url = service.name;

  async function call(method: string, params: Fields, ofCaller?: AbortSignal): Promise<Answer> {
    const stop = linkAbort(signal, ofCaller);
    const response = await post(
      service,
      { jsonrpc: '2.0', id: 1, method, params },
      requestMs,
      stop.signal,
    ).finally(stop.unlink);
    const { error, result } = response;
    if (isFields(error) && error.code === BUSY)
      throw new ClientError('busy', `${url} is busy: ${excerptOf(text(error.data))}`);
    if (isFields(error)) return { error: excerptOf(`${text(error.message)}: ${text(error.data)}`) };
    if (!isFields(result)) throw new ClientError('node', `${url} answers ${method} without a result`);
    return { result };
  }

  async function demand(method: string, params: Fields, ofCaller?: AbortSignal): Promise<Fields> {
    const answer = await call(method, params, ofCaller);
    if (answer.result !== undefined) return answer.result;
    throw new ClientError('node', `${url} refuses ${method}: ${answer.error}`);
  }

  async function tx(hash: string): Promise<Included | undefined> {
    const params = { hash: Buffer.from(hash, 'hex').toString('base64'), prove: false };
    const { result, error } = await call('tx', params);
    if (result !== undefined) return includedOf(hash, result);
    if (/not found/.test(error ?? '')) return undefined;
    throw new ClientError('node', `${url} refuses tx: ${error}`);
  }

  return {
    tx,
    async status() {
      const { node_info, sync_info } = await demand('status', {});
      const time = isFields(sync_info) ? parseTimeNs(text(sync_info.latest_block_time)) : undefined;
      if (!isFields(node_info) || !isFields(sync_info) || time === undefined) {
        throw new ClientError('node', `${url} answers status with something else`);
      }
      return {
        chainId: excerptOf(text(node_info.network)),
        height: Number(sync_info.latest_block_height),
        timeNs: time,
      };
    },
    async query(path, data, ofCaller) {
      const params = { path, data: Buffer.from(data).toString('hex'), height: '0', prove: false };
      const { response } = await demand('abci_query', params, ofCaller);
      if (!isFields(response)) throw new ClientError('node', `${url} answers abci_query with something else`);
      return {
        ...refusalOf(response),
        height: Number(response.height ?? 0),
        value: Buffer.from(text(response.value), 'base64'),
      };
    },
    async blockTxs(height) {
      const txs = txsOfBlock(await demand('block', { height: String(height) }), height);
      if (txs !== undefined) return txs;
      throw new ClientError('node', `${url} answers block ${height} with another one, or with other txs`);
    },
    async broadcast(tx) {
      const result = await demand('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') });
      return { ...refusalOf(result), hash: text(result.hash) };
    },
  };
}

function serviceAt(address: string, connectTimeoutMs: number, { headers, caPath }: NodeOptions): HttpService {
  const ca = trustedCertificates(caPath);
  const limits = { connections: CONNECTIONS, connectTimeoutMs, maxInFlight: MAX_IN_FLIGHT, headers, ca };
  try {
    return connectHttp(address, limits);
  } catch (cause) {
    // the address itself is left out: it may hold a password
    throw new ClientError('input', 'the address of the node must be an http or https URL', cause);
  }
}

interface Answer {
  readonly result?: Fields;
  readonly error?: string;
}

async function post(
  service: HttpService,
  body: Fields,
  requestMs: number,
  signal?: AbortSignal,
): Promise<Fields> {
  const { name } = service;
  const limits = { silenceMs: requestMs, deadlineMs: requestMs, maxBodyBytes: MAX_ANSWER_BYTES, signal };
  try {
    const { status, bytes } = await service.ask({ body: JSON.stringify(body) }, limits);
    if (status === 429) throw new ClientError('busy', `${name} is busy: HTTP 429`);
    const answer: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isFields(answer)) return answer;
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof HttpFailure) throw new ClientError(KINDS[error.kind], error.message, error);
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new ClientError('node', `${name} does not answer as a node does: no JSON object`);
}

const KINDS: Readonly<Record<HttpFailure['kind'], ClientError['kind']>> = {
  aborted: 'unreachable',
  timeout: 'timeout',
  unreachable: 'unreachable',
  busy: 'busy',
  redirect: 'node',
  encoded: 'node',
  too_large: 'node',
};

function refusalOf(fields: Fields): Refusal {
  const { codespace, code = 0, log } = fields;
  return { codespace: excerptOf(text(codespace)), code: Number(code), log: excerptOf(text(log)) };
}

function includedOf(hash: string, { height, tx_result }: Fields): Included {
  const result = isFields(tx_result) ? tx_result : {};
  const events = Array.isArray(result.events) ? result.events.filter(isFields) : [];
  return {
    ...refusalOf(result),
    hash,
    height: Number(height),
    gasWanted: integerOf(result.gas_wanted),
    gasUsed: integerOf(result.gas_used),
    events: events.map(({ type, attributes }) => ({
      type: text(type),
      attributes: (Array.isArray(attributes) ? attributes.filter(isFields) : []).map(
        ({ key, value }) => [text(key), text(value)] as const,
      ),
    })),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An int64 as nodes print it; 0 for anything else. */
function integerOf(value: unknown): bigint {
  return /^-?\d{1,19}$/.test(text(value)) ? BigInt(text(value)) : 0n;
}

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
