import type { WebSocket } from 'ws';
import type { Block } from '../comet/types.ts';
import type { Caller } from '../simulation/simulations.ts';
import {
  answerCall,
  parseRequest,
  printError,
  type Request,
  readRequest,
  resultParts,
  toRpcError,
} from './calls.ts';
import { type Condition, MAX_QUERY_CHARS, parseConditions, QueryError } from './conditions.ts';
import { internalError, RpcError } from './errors.ts';
import { quote } from './go-json.ts';
import type { Result } from './method.ts';
import type { Node } from './node.ts';
import { type EventName, eventsOf } from './socket-events.ts';

/** The websocket: calls as over HTTP, and subscriptions. */
export interface Sockets {
  /** `from` names the client to whoever shares something out. */
  accept(socket: WebSocket, from: string): void;
  /** Ends the subscriptions and the connections. */
  close(): void;
}

export interface SocketLimits {
  /** Bytes that may wait for a client; with more of them it is dropped. */
  readonly maxWaitingBytes: number;
  /** A client is asked for a sign of life this often and dropped when it gave none. */
  readonly pingMs: number;
}

export const SOCKET_LIMITS: SocketLimits = { maxWaitingBytes: 8_000_000, pingMs: 27_000 };

/** CometBFT's rpc.max_subscription_clients and max_subscriptions_per_client. */
const MAX_CLIENTS = 100;
const MAX_SUBSCRIPTIONS = 5;
/** Requests of one client that wait for their turn. */
const MAX_WAITING_REQUESTS = 1_000;
const EVENT_NAMES: readonly EventName[] = ['NewBlock', 'NewBlockHeader', 'Tx'];

interface Subscription {
  /** Of the request, which the events carry too. */
  readonly id: string;
  readonly query: string;
  readonly name: EventName | undefined;
  readonly conditions: readonly Condition[];
}

interface Client {
  readonly socket: WebSocket;
  readonly caller: Caller;
  /** By their queries. */
  readonly subscriptions: Map<string, Subscription>;
  waiting: number;
  isAlive: boolean;
}

export function createSockets(node: Node, limits: SocketLimits): Sockets {
  const clients = new Set<Client>();
  const forget = node.chain.onBlock(announce);
  const pings = setInterval(() => {
    for (const client of clients) {
      if (!client.isAlive) client.socket.terminate();
      client.isAlive = false;
      client.socket.ping();
    }
  }, limits.pingMs);
  pings.unref();

  /** Drops a client that does not take what it is sent. */
  function send({ socket }: Client, text: string): void {
    if (socket.bufferedAmount > limits.maxWaitingBytes) socket.terminate();
    else if (socket.readyState === socket.OPEN) socket.send(text);
  }

  function announce(block: Block): void {
    for (const name of EVENT_NAMES) {
      const readers = [...clients].flatMap((client) =>
        [...client.subscriptions.values()]
          .filter((subscription) => subscription.name === name)
          .map((subscription) => ({ client, subscription })),
      );
      if (readers.length === 0) continue;
      for (const event of eventsOf(name, block, node.paramUpdates)) {
        for (const { client, subscription } of readers) {
          const { id, query, conditions } = subscription;
          if (!event.matches(conditions)) continue;
          send(client, `{"jsonrpc":"2.0","id":${id},"result":{"query":${quote(query)},${event.text}}}`);
        }
      }
    }
  }

  async function handle(client: Client, text: string): Promise<void> {
    let request: Request;
    try {
      request = readRequest(parseRequest(text));
    } catch (error) {
      send(client, printError(undefined, toRpcError(error, node)));
      return;
    }
    const { id } = request;
    if (id === undefined) return;
    const result = subscribing(client, request, id);
    const parts = result ?? (await answerCall(node, request, id, client.caller, internalError));
    send(
      client,
      parts.map((part) => (typeof part === 'string' ? part : Buffer.from(part).toString('utf8'))).join(''),
    );
  }

  /** The answer to the methods of the websocket, undefined for others. */
  function subscribing(client: Client, request: Request, id: string): readonly Result[] | undefined {
    const { subscriptions } = client;
    try {
      if (request.method === 'subscribe') {
        const subscription = readSubscription(request, id);
        const subscribed = [...clients].filter(({ subscriptions: { size } }) => size > 0).length;
        if (subscribed >= MAX_CLIENTS) throw internalError(`max_subscription_clients ${MAX_CLIENTS} reached`);
        if (subscriptions.size >= MAX_SUBSCRIPTIONS)
          throw internalError(`max_subscriptions_per_client ${MAX_SUBSCRIPTIONS} reached`);
        if (subscriptions.has(keyOf(subscription.query))) throw internalError('already subscribed');
        subscriptions.set(keyOf(subscription.query), subscription);
      } else if (request.method === 'unsubscribe') {
        if (!subscriptions.delete(keyOf(queryOf(request)))) throw internalError('subscription not found');
      } else if (request.method === 'unsubscribe_all') {
        if (subscriptions.size === 0) throw internalError('subscription not found');
        subscriptions.clear();
      } else {
        return undefined;
      }
      return resultParts(id, '{}');
    } catch (error) {
      if (error instanceof RpcError) return [printError(id, error)];
      throw error;
    }
  }

  function accept(socket: WebSocket, from: string): void {
    const gone = new AbortController();
    const caller = { client: from, signal: gone.signal };
    const client: Client = { socket, caller, subscriptions: new Map(), waiting: 0, isAlive: true };
    clients.add(client);
    let last: Promise<void> = Promise.resolve();
    socket.on('message', (data) => {
      if (++client.waiting > MAX_WAITING_REQUESTS) {
        socket.terminate();
        return;
      }
      // one after another, as a node does
      last = last
        .then(() => handle(client, String(data)))
        .catch(node.onError)
        .finally(() => client.waiting--);
    });
    socket.on('pong', () => {
      client.isAlive = true;
    });
    socket.on('close', () => {
      clients.delete(client);
      gone.abort();
    });
    socket.on('error', node.onError);
  }

  return {
    accept,
    close() {
      forget();
      clearInterval(pings);
      for (const { socket } of clients) socket.close(1001, 'the node is shutting down');
    },
  };
}

/** Errors: RpcError. */
function queryOf({ params }: Request): string {
  const given = Array.isArray(params)
    ? (params[0] as unknown)
    : (params as { query?: unknown } | undefined)?.query;
  if (typeof given !== 'string') return '';
  if (given.length > MAX_QUERY_CHARS) throw internalError('maximum query length exceeded');
  return given;
}

/** The query without the blanks between its parts, which do not make it another one. A quoted text keeps its blanks. */
function keyOf(query: string): string {
  let key = '';
  let isQuoted = false;
  for (const char of query) {
    if (char === "'") isQuoted = !isQuoted;
    if (isQuoted || char.trim() !== '') key += char;
  }
  return key;
}

/** Errors: RpcError. */
function readSubscription(request: Request, id: string): Subscription {
  const query = queryOf(request);
  try {
    const conditions = parseConditions(query);
    const event = conditions.find(({ key }) => key === 'tm.event')?.value;
    return { id, query, name: EVENT_NAMES.find((name) => name === event), conditions };
  } catch (error) {
    if (error instanceof QueryError) throw internalError(error.message);
    throw error;
  }
}
