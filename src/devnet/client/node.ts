import { setTimeout as sleep } from 'node:timers/promises';
import { parseTimeNs } from '../../core/time.ts';
import type { AbciEvent } from '../comet/types.ts';
import { ClientError } from './errors.ts';

/** A node's CometBFT RPC, as far as a client of accounts needs it. Errors: ClientError node and timeout. */
export interface Node {
  status(): Promise<NodeStatus>;
  /** The value, or the refusal of the query. */
  query(path: string, data: Uint8Array, signal?: AbortSignal): Promise<QueryResult>;
  /** What the mempool says of a tx. */
  broadcast(tx: Uint8Array): Promise<Checked>;
  /** The tx in its block, by its hash (upper-case hex); undefined as long as the node's index of txs has none. */
  tx(hash: string): Promise<Included | undefined>;
  /** Waits until a block holds the tx (upper-case hex). Errors: timeout when none does in time. */
  inclusion(hash: string, deadlineMs: number): Promise<Included>;
}

export interface NodeStatus {
  readonly chainId: string;
  readonly height: number;
  readonly timeNs: bigint;
}

export interface Refusal {
  readonly codespace: string;
  readonly code: number;
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
  /** Between two looks for a tx. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}

type Fields = Readonly<Record<string, unknown>>;

export function connectNode(url: string, options: NodeOptions = {}): Node {
  const { requestMs = 10_000, pollMs = 250, signal } = options;

  async function call(method: string, params: Fields, ofCaller?: AbortSignal): Promise<Answer> {
    const signals = [signal, ofCaller].filter((one) => one !== undefined);
    const stop = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    const response = await post(url, { jsonrpc: '2.0', id: 1, method, params }, requestMs, stop);
    const { error, result } = response;
    if (isFields(error)) return { error: `${text(error.message)}: ${text(error.data)}` };
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
        chainId: text(node_info.network),
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
    async broadcast(tx) {
      const result = await demand('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') });
      return { ...refusalOf(result), hash: text(result.hash) };
    },
    async inclusion(hash, deadlineMs) {
      const until = performance.now() + deadlineMs;
      for (;;) {
        const included = await tx(hash);
        if (included !== undefined) return included;
        if (performance.now() + pollMs > until) {
          throw new ClientError('timeout', `no block holds ${hash} after ${deadlineMs / 1_000} s`);
        }
        await sleep(pollMs, undefined, signal === undefined ? {} : { signal });
      }
    },
  };
}

interface Answer {
  readonly result?: Fields;
  readonly error?: string;
}

async function post(url: string, body: Fields, requestMs: number, signal?: AbortSignal): Promise<Fields> {
  const deadline = AbortSignal.timeout(requestMs);
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    });
    const answer: unknown = await response.json();
    if (isFields(answer)) return answer;
    throw new Error('no object');
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (deadline.aborted)
      throw new ClientError('timeout', `${url} does not answer within ${requestMs / 1_000} s`);
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const reason = cause instanceof Error ? cause.message : String(cause);
    // fetch's own failures, of the network, are TypeErrors
    if (error instanceof TypeError)
      throw new ClientError('unreachable', `${url} does not answer: ${reason}`, error);
    throw new ClientError('node', `${url} does not answer as a node does: ${reason}`, error);
  }
}

function refusalOf(fields: Fields): Refusal {
  return { codespace: text(fields.codespace), code: Number(fields.code ?? 0), log: text(fields.log) };
}

function includedOf(hash: string, { height, tx_result }: Fields): Included {
  const result = isFields(tx_result) ? tx_result : {};
  const events = Array.isArray(result.events) ? result.events.filter(isFields) : [];
  return {
    ...refusalOf(result),
    hash,
    height: Number(height),
    gasWanted: BigInt(text(result.gas_wanted) || 0),
    gasUsed: BigInt(text(result.gas_used) || 0),
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

function text(value: unknown): string {
  return value === undefined || value === null ? '' : String(value);
}
