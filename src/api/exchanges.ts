import { createBodyBudget } from 'strata-kit/body-budget';
import type { ServerOptions } from './http.ts';

/** What every listener counts: requests at work, bodies that clients have not taken, and who takes them too slowly. */

/** One request's life: until its answer is written or its client is gone. */
export interface Exchange {
  finished: boolean;
  /** The body that is held for it while its client reads. */
  held: Uint8Array | undefined;
}

export interface Exchanges<C> {
  /** See ServerOptions.maxHeldBytes. */
  readonly heldBytes: number;
  /** There are more than may be worked on: the newest is answered 503. */
  readonly isOverfull: boolean;
  /** The listener makes the object, in one literal: a spread of it costs 6 µs of CPU a request. */
  begin(): void;
  /** Holds the body until the exchange is finished. False, and nothing is held, beyond the bound. */
  hold(client: C, exchange: Exchange, body: Uint8Array): boolean;
  /** Once or more often. */
  finish(client: C, exchange: Exchange): void;
  /** Resolves when nothing is at work, or after `graceMs`. */
  untilIdle(graceMs: number): Promise<void>;
  stop(): void;
}

const DEFAULT_MAX_IN_FLIGHT = 1000;
const DEFAULT_MAX_HELD_BYTES = 256_000_000;
const DEFAULT_READ_GRACE_MS = 30_000;
const MIN_READ_BYTES_PER_MS = 64;
const SWEEP_MS = 1000;
/** A socket takes as much at once; only larger bodies are asked for room before their first byte. */
export const SMALL_BODY_BYTES = 64 * 1024;

/** `close`: ends the connection of a client that reads too slowly. */
export function createExchanges<C>(options: ServerOptions, close: (client: C) => void): Exchanges<C> {
  const {
    maxInFlight = DEFAULT_MAX_IN_FLIGHT,
    readGraceMs = DEFAULT_READ_GRACE_MS,
    minReadBytesPerMs = MIN_READ_BYTES_PER_MS,
  } = options;
  const budget = createBodyBudget(options.maxHeldBytes ?? DEFAULT_MAX_HELD_BYTES);
  /** Clients that read an answer, with the time by which they must have it. */
  const reading = new Map<C, number>();
  let inFlight = 0;
  let onIdle: (() => void) | undefined;
  const sweep = setInterval(() => {
    const nowMs = performance.now();
    for (const [client, endMs] of reading) if (nowMs > endMs) close(client);
  }, SWEEP_MS);
  sweep.unref();

  return {
    get heldBytes() {
      return budget.heldBytes;
    },
    get isOverfull() {
      return inFlight > maxInFlight;
    },
    begin() {
      inFlight += 1;
    },
    hold(client, exchange, body) {
      if (!budget.hold(body)) return false;
      exchange.held = body;
      reading.set(client, performance.now() + readGraceMs + body.length / minReadBytesPerMs);
      return true;
    },
    finish(client, exchange) {
      if (exchange.finished) return;
      exchange.finished = true;
      if (exchange.held !== undefined) {
        budget.release(exchange.held);
        reading.delete(client);
      }
      inFlight -= 1;
      if (inFlight === 0) onIdle?.();
    },
    async untilIdle(graceMs) {
      if (inFlight === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    stop: () => clearInterval(sweep),
  };
}
