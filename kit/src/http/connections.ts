import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections a server keeps open, and which it closes beyond that. */
export interface ConnectionBounds {
  readonly most: number;
  /** Of one client, where clients can be told apart. */
  readonly ofClient?:
    | { readonly most: number; readonly keyOf: (remoteAddress: string) => string }
    | undefined;
  /** An answer that takes longer may be cut off for a newcomer. */
  readonly slowMs: number;
  /** A connection was closed to make room. */
  readonly onFull?: () => void;
}

interface Held {
  readonly socket: Socket;
  /** The client's own connections. */
  readonly own: Map<Socket, Held>;
  readonly exchanges: Set<Exchange>;
  /** Since when it has been idle, or answering. */
  sinceMs: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Lets newcomers in: where a client or all clients have too many connections, the one that has been idle longest is
 * closed. Idle is a connection without a whole request to answer, so a client that sends nothing, or never ends its
 * request, loses its place to one that does. Without an idle one an answer that takes too long is given up, else the
 * newcomer. Servers that share what this returns share the bounds.
 */
export function createConnectionBounds(bounds: ConnectionBounds): (server: Server) => void {
  const { most, ofClient, slowMs, onFull } = bounds;
  // both kinds of map have the connections in the order in which they became idle
  const all = new Map<Socket, Held>();
  const clients = new Map<string, Map<Socket, Held>>();

  function hold(socket: Socket): void {
    const key = ofClient === undefined ? '' : ofClient.keyOf(socket.remoteAddress ?? '');
    const own = clients.get(key) ?? new Map<Socket, Held>();
    clients.set(key, own);
    const held = { socket, own, exchanges: new Set<Exchange>(), sinceMs: performance.now() };
    own.set(socket, held);
    all.set(socket, held);
    socket.once('close', () => {
      forget(held);
      if (own.size === 0 && clients.get(key) === own) clients.delete(key);
    });
    if (ofClient !== undefined && own.size > ofClient.most) giveUpOneOf(own, held);
    else if (all.size > most) giveUpOneOf(all, held);
  }

  function forget({ socket, own }: Held): void {
    all.delete(socket);
    own.delete(socket);
  }

  function giveUpOneOf(connections: ReadonlyMap<Socket, Held>, newcomer: Held): void {
    const late = performance.now() - slowMs;
    let slow: Held | undefined;
    let idle: Held | undefined;
    for (const held of connections.values()) {
      if (held === newcomer) continue;
      if (!isAnswering(held)) {
        idle = held;
        break;
      }
      if (held.sinceMs < late && held.sinceMs < (slow?.sinceMs ?? Number.POSITIVE_INFINITY)) slow = held;
    }
    const chosen = idle ?? slow ?? newcomer;
    forget(chosen);
    chosen.socket.destroy();
    onFull?.();
  }

  function follow(request: IncomingMessage, response: ServerResponse): void {
    const held = all.get(request.socket);
    if (held === undefined) return;
    const exchange = { request, response };
    if (held.exchanges.size === 0) held.sinceMs = performance.now();
    held.exchanges.add(exchange);
    response.once('close', () => {
      held.exchanges.delete(exchange);
      if (held.exchanges.size > 0 || !all.has(held.socket)) return;
      forget(held);
      held.sinceMs = performance.now();
      all.set(held.socket, held);
      held.own.set(held.socket, held);
    });
  }

  return (server) => {
    server.on('connection', hold);
    server.on('request', follow);
  };
}

function isAnswering({ exchanges }: Held): boolean {
  for (const { request } of exchanges) if (request.complete) return true;
  return false;
}
