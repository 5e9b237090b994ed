import type { WebSocket } from 'ws';
import { goJson, goSyntaxError, internalError, parseError, printFault } from './answers.ts';
import type { ReplayChain } from './chain.ts';
import { answerCall } from './http.ts';

const NEW_BLOCK_QUERY = "tm.event='NewBlock'";
/** A client that reads slowly loses events, as with a node. */
const MAX_BUFFERED_BYTES = 8_000_000;

/** The websocket side: calls as over HTTP, and subscriptions to NewBlock. */
export interface ReplaySockets {
  accept(socket: WebSocket): void;
  /** Sends NewBlock of a revealed height to whoever subscribed. */
  announce(height: number): Promise<void>;
}

interface Subscription {
  readonly idText: string;
  readonly query: string;
}

export function createReplaySockets(chain: ReplayChain, onError: (error: unknown) => void): ReplaySockets {
  const subscriptions = new Map<WebSocket, Map<string, Subscription>>();

  async function handle(socket: WebSocket, text: string): Promise<void> {
    let request: { id?: unknown; method?: unknown; params?: unknown };
    try {
      request = JSON.parse(text) as typeof request;
    } catch {
      socket.send(printFault(undefined, parseError(`error unmarshaling request: ${goSyntaxError(text)}`)), {
        binary: false,
      });
      return;
    }
    const held = subscriptions.get(socket);
    if (held === undefined) return;
    const reply = subscribe(request, held) ?? (await answerCall(chain, request));
    if (reply !== undefined) socket.send(Buffer.concat(reply), { binary: false });
  }

  return {
    accept: (socket) => {
      subscriptions.set(socket, new Map());
      socket.on('message', (data) => {
        handle(socket, String(data)).catch(onError);
      });
      socket.on('close', () => subscriptions.delete(socket));
      socket.on('error', onError);
    },
    announce: async (height) => {
      const readers = [...subscriptions].filter(([, held]) => held.size > 0);
      if (readers.length === 0) return;
      const event = await newBlockEvent(chain, height);
      for (const [socket, held] of readers) {
        const subscription = held.get(NEW_BLOCK_QUERY);
        if (subscription === undefined || socket.bufferedAmount > MAX_BUFFERED_BYTES) continue;
        const { idText, query } = subscription;
        const message = `{"jsonrpc":"2.0","id":${idText},"result":{"query":${goJson(query)},${event}}}`;
        socket.send(message);
      }
    },
  };
}

/** The answer to (un)subscribe calls, undefined for any other method. */
function subscribe(
  request: { id?: unknown; method?: unknown; params?: unknown },
  held: Map<string, Subscription>,
): readonly Uint8Array[] | undefined {
  const idText = JSON.stringify(request.id ?? null);
  const done = [Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":{}}`)];
  if (request.method === 'unsubscribe_all') {
    held.clear();
    return done;
  }
  if (request.method !== 'subscribe' && request.method !== 'unsubscribe') return undefined;
  const given = request.params as { query?: unknown } | readonly unknown[] | undefined;
  const query = String(
    (Array.isArray(given) ? given[0] : (given as { query?: unknown } | undefined)?.query) ?? '',
  );
  const key = query.replace(/\s/g, '');
  if (request.method === 'unsubscribe') {
    if (!held.delete(key)) return [printFault(idText, internalError('subscription not found'))];
    return done;
  }
  if (held.has(key)) return [printFault(idText, internalError('already subscribed'))];
  held.set(key, { idText, query });
  return done;
}

/** `"data":{…},"events":{…}` in the node's key order. Escapes that are read here are printed as UTF-8, not latin1. */
async function newBlockEvent(chain: ReplayChain, height: number): Promise<string> {
  const texts = await chain.texts(height);
  const block = texts.block.toString('utf8');
  const results = JSON.parse(texts.results.toString('utf8')) as {
    txs_results: unknown;
    finalize_block_events: readonly EventJson[] | null;
    validator_updates: unknown;
    consensus_param_updates: unknown;
    app_hash: unknown;
  };
  const events = results.finalize_block_events ?? [];
  const finalized = goJson({
    ...(results.txs_results === null ? {} : { tx_results: results.txs_results }),
    events,
    validator_updates: results.validator_updates ?? [],
    consensus_param_updates: results.consensus_param_updates,
    app_hash: results.app_hash,
  });
  // the result of /block is {"block_id":…,"block":…}; the event has them the other way round
  const inner = block.slice(block.indexOf(',"block":') + 1, -1);
  const blockId = block.slice(1, block.indexOf(',"block":'));
  const value = `{${inner},${blockId},"result_finalize_block":${finalized}}`;
  return `"data":{"type":"tendermint/event/NewBlock","value":${value}},"events":${goJson(valuesByKey(events))}`;
}

interface EventJson {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[] | null;
}

function valuesByKey(events: readonly EventJson[]): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, string[]>([['tm.event', ['NewBlock']]]);
  for (const { type, attributes } of events) {
    for (const { key, value } of attributes ?? []) {
      const name = `${type}.${key}`;
      const list = values.get(name);
      if (list === undefined) values.set(name, [value]);
      else list.push(value);
    }
  }
  return Object.fromEntries(values);
}
