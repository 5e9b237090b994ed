import type { WebSocket } from 'ws';
import { createBodyBudget } from '../body-budget.ts';
import type { Caller } from '../http/caller.ts';
import {
  answerCall,
  parseRequest,
  printError,
  type Request,
  readRequest,
  resultParts,
  toBytes,
  toRpcError,
} from './calls.ts';
import { type Condition, MAX_QUERY_CHARS, parseConditions, QueryError } from './conditions.ts';
import { internalError, RpcError } from './errors.ts';
import { quote } from './go-json.ts';
import type { BlockEvents, EventName, Result, RpcNode } from './node.ts';

/** The websocket: calls as over HTTP, and subscriptions. */
export interface Sockets {
  /** `from` names the client to whoever shares something out. */
  accept(socket: WebSocket, from: string): void;
  /** Ends the subscriptions and the connections. */
  close(): void;
}

export interface SocketLimits {
  /** Bytes that may wait for a client, and bytes of its requests that may wait; with more of them it is dropped. */
  readonly maxWaitingBytes: number;
  /** The same for all clients together: then those for which most bytes wait are dropped. */
  readonly maxHeldBytes: number;
  /** Bytes of requests of all clients together; a client that goes beyond them is dropped, unless it asks for little. */
  readonly maxRequestBytes: number;
  /** A client is asked for a sign of life this often and dropped when it gave none. */
  readonly pingMs: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  maxWaitingBytes: 8_000_000,
  maxHeldBytes: 128_000_000,
  maxRequestBytes: 32_000_000,
  pingMs: 27_000,
};

/** CometBFT's rpc.max_subscription_clients and max_subscriptions_per_client. */
const MAX_CLIENTS = 100;
const MAX_SUBSCRIPTIONS = 5;
/** Requests of one client that wait for their turn. */
const MAX_WAITING_REQUESTS = 1_000;
/** What a request takes beside its own bytes, roughly. */
const REQUEST_BYTES = 1_000;
/** Longer messages go out as fragments, so that clients share the bytes of an event. */
const SMALL_BYTES = 65_536;
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
  waitingBytes: number;
  /** What it has not taken yet. */
  readonly messages: Set<Message>;
  heldBytes: number;
  isAlive: boolean;
}

/** On its way to a client: its frames, of one message. */
type Message = readonly Uint8Array[];

export function createSockets(node: RpcNode, limits: SocketLimits): Sockets {
  const clients = new Set<Client>();
  const budget = createBodyBudget(limits.maxHeldBytes);
  /** Of requests that wait or are being answered. */
  let requestBytes = 0;
  const forget = node.onEvents(announce);
  const pings = setInterval(() => {
    for (const client of clients) {
      if (!client.isAlive) {
        drop(client);
        continue;
      }
      client.isAlive = false;
      client.socket.ping();
    }
  }, limits.pingMs);
  pings.unref();

  function send(client: Client, parts: readonly Result[]): void {
    const { socket } = client;
    if (socket.readyState !== socket.OPEN) return;
    if (socket.bufferedAmount > limits.maxWaitingBytes) {
      drop(client);
      return;
    }
    const message = framesOf(toBytes(parts));
    if (!hold(client, message)) return;
    message.forEach((frame, i) => {
      const fin = i === message.length - 1;
      socket.send(frame, { binary: false, fin }, fin ? () => release(client, message) : undefined);
    });
  }

  /** Makes room by dropping the slowest clients. False where this client is one of them. */
  function hold(client: Client, message: Message): boolean {
    for (const [i, frame] of message.entries()) {
      while (!budget.hold(frame)) {
        const slowest = slowestOf(clients, client);
        drop(slowest);
        if (slowest !== client) continue;
        for (const held of message.slice(0, i)) budget.release(held);
        return false;
      }
    }
    client.messages.add(message);
    client.heldBytes += bytesOf(message);
    return true;
  }

  function release(client: Client, message: Message): void {
    if (!client.messages.delete(message)) return;
    client.heldBytes -= bytesOf(message);
    for (const frame of message) budget.release(frame);
  }

  function drop(client: Client): void {
    client.socket.terminate();
    forgetClient(client);
  }

  function forgetClient(client: Client): void {
    clients.delete(client);
    for (const message of [...client.messages]) release(client, message);
  }

  function announce(events: BlockEvents): void {
    for (const name of EVENT_NAMES) {
      const readers = [...clients].flatMap((client) =>
        [...client.subscriptions.values()]
          .filter((subscription) => subscription.name === name)
          .map((subscription) => ({ client, subscription })),
      );
      if (readers.length === 0) continue;
      for (const event of events(name)) {
        const matching = readers.filter(({ subscription }) => event.matches(subscription.conditions));
        if (matching.length === 0) continue;
        const shared = Buffer.from(`${event.text}}}`);
        for (const { client, subscription } of matching) {
          const { id, query } = subscription;
          send(client, [`{"jsonrpc":"2.0","id":${id},"result":{"query":${quote(query)},`, shared]);
        }
      }
    }
  }

  async function handle(client: Client, text: string): Promise<void> {
    let request: Request;
    try {
      request = readRequest(parseRequest(text));
    } catch (error) {
      send(client, [printError(undefined, toRpcError(error, node))]);
      return;
    }
    const { id } = request;
    if (id === undefined) return;
    const result = subscribing(client, request, id);
    send(client, result ?? (await answerCall(node, request, id, client.caller, internalError)));
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
    const client: Client = {
      socket,
      caller,
      subscriptions: new Map(),
      waiting: 0,
      waitingBytes: 0,
      messages: new Set(),
      heldBytes: 0,
      isAlive: true,
    };
    clients.add(client);
    let last: Promise<void> = Promise.resolve();
    socket.on('message', (data: Buffer) => {
      if (!clients.has(client)) return;
      const byteLength = data.length + REQUEST_BYTES;
      client.waiting += 1;
      client.waitingBytes += byteLength;
      requestBytes += byteLength;
      // one after another, as a node does
      last = last
        .then(() => (clients.has(client) ? handle(client, data.toString('utf8')) : undefined))
        .catch(node.onError)
        .finally(() => {
          client.waiting -= 1;
          client.waitingBytes -= byteLength;
          requestBytes -= byteLength;
        });
      const isBeyond =
        client.waiting > MAX_WAITING_REQUESTS ||
        client.waitingBytes > limits.maxWaitingBytes ||
        (requestBytes > limits.maxRequestBytes && client.waitingBytes > SMALL_BYTES);
      if (isBeyond) drop(client);
    });
    socket.on('pong', () => {
      client.isAlive = true;
    });
    socket.on('close', () => {
      forgetClient(client);
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

function framesOf(parts: readonly Uint8Array[]): Message {
  return bytesOf(parts) > SMALL_BYTES ? parts : [Buffer.concat(parts)];
}

function bytesOf(message: Message): number {
  return message.reduce((sum, frame) => sum + frame.length, 0);
}

/** The client that most bytes wait for: `other` where none waits. */
function slowestOf(clients: ReadonlySet<Client>, other: Client): Client {
  let slowest = other;
  for (const client of clients) if (client.heldBytes > slowest.heldBytes) slowest = client;
  return slowest;
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
