import { backoffMs } from 'strata-kit/backoff';
import type { Clock } from 'strata-kit/clock';
import type { HeaderFields } from 'strata-kit/node-access';
import { type RawData, WebSocket } from 'ws';
import type { ChainLog } from '../log.ts';

/** A websocket to a node that tells of new blocks. Events may be lost: a wake-up, never data. */
export interface Wakeup {
  isConnected(): boolean;
  /** Resolves at an event of a height above `height`, when a connection is lost, or at the signal. */
  next(height: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

const SUBSCRIBE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'subscribe',
  params: { query: "tm.event='NewBlock'" },
});
const BACKOFF = { firstMs: 500, maxMs: 30_000 };
/** Between two lines about a node that is away. */
const TELL_MS = 10_000;
const HANDSHAKE_TIMEOUT_MS = 10_000;
const PING_MS = 20_000;
const MAX_EVENT_BYTES = 256_000_000;
/** The header stands at an event's beginning. */
const HEADER_BYTES = 4_000;

/** A node to connect to. */
export interface WakeupNode {
  readonly url: string;
  readonly headers: HeaderFields | undefined;
  readonly ca: readonly string[] | undefined;
}

/** `pickNode` names the node to connect to, anew at each attempt. */
export function createWakeup(
  pickNode: () => WakeupNode | undefined,
  clock: Clock,
  log: ChainLog,
  random: () => number,
): Wakeup {
  const stop = new AbortController();
  const waiting = new Set<() => void>();
  let socket: WebSocket | undefined;
  let isSubscribed = false;
  let seenHeight = 0;
  let failures = 0;
  let toldAtMs = Number.NEGATIVE_INFINITY;

  function wake(): void {
    for (const resolve of waiting) resolve();
  }

  function onMessage(text: string): void {
    isSubscribed = !text.startsWith('{"jsonrpc":"2.0","id":1,"error"');
    failures = 0;
    if (!text.includes('"data":')) return;
    const height = /"header":\{.{0,400}?"height":"(\d+)"/s.exec(text)?.[1];
    if (height !== undefined) seenHeight = Math.max(seenHeight, Number(height));
    // an event of an unexpected layout still means that something happened
    wake();
  }

  /** Resolves when the connection has ended. */
  function connect({ url, headers, ca }: WakeupNode): Promise<void> {
    return new Promise((resolve) => {
      const opened = new WebSocket(websocketUrl(url), {
        handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
        maxPayload: MAX_EVENT_BYTES,
        ...(headers === undefined ? {} : { headers }),
        ...(ca === undefined ? {} : { ca: [...ca] }),
      });
      socket = opened;
      let isAlive = true;
      const ping = setInterval(() => {
        if (!isAlive) return opened.terminate();
        isAlive = false;
        if (opened.readyState === WebSocket.OPEN) opened.ping();
      }, PING_MS);
      opened.on('open', () => opened.send(SUBSCRIBE));
      opened.on('pong', () => {
        isAlive = true;
      });
      opened.on('message', (data) => {
        isAlive = true;
        onMessage(headText(data));
      });
      // the close event follows and ends the attempt
      opened.on('error', (error) => {
        if (clock.nowMs() - toldAtMs < TELL_MS) return;
        toldAtMs = clock.nowMs();
        log.info({ reason: error.message }, 'the websocket of a node failed');
      });
      opened.on('close', () => {
        clearInterval(ping);
        // who relied on it must poll from now on
        if (isSubscribed) wake();
        isSubscribed = false;
        resolve();
      });
    });
  }

  async function keepConnected(): Promise<void> {
    while (!stop.signal.aborted) {
      const node = pickNode();
      if (node !== undefined) await connect(node);
      failures++;
      await clock.sleep(backoffMs(BACKOFF, failures, random), stop.signal);
    }
  }
  const running = keepConnected();
  running.catch((error: unknown) =>
    log.warn({ err: error }, 'the wake-up of new blocks stopped, heights are polled'),
  );

  return {
    isConnected: () => isSubscribed,
    next: (height, signal) =>
      new Promise((resolve) => {
        if (signal.aborted || seenHeight > height) {
          // an event wakes once: the node that is asked next may not have the block yet
          seenHeight = 0;
          resolve();
          return;
        }
        const done = (): void => {
          waiting.delete(done);
          signal.removeEventListener('abort', done);
          seenHeight = 0;
          resolve();
        };
        waiting.add(done);
        signal.addEventListener('abort', done);
      }),
    close: () => {
      stop.abort();
      socket?.terminate();
      wake();
    },
  };
}

/** An event's first 4,000 bytes: a whole block as text would only be made to be thrown away. */
export function headText(data: RawData): string {
  const parts = Array.isArray(data) ? data : [data];
  let text = '';
  for (const part of parts) {
    const bytes = part instanceof ArrayBuffer ? Buffer.from(part) : part;
    text += bytes.toString('latin1', 0, HEADER_BYTES - text.length);
    if (text.length >= HEADER_BYTES) break;
  }
  return text;
}

function websocketUrl(url: string): string {
  const parsed = new URL(url);
  parsed.protocol = parsed.protocol === 'https:' ? 'wss:' : 'ws:';
  parsed.pathname = `${parsed.pathname.replace(/\/$/, '')}/websocket`;
  return parsed.href;
}
