import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { answerHttp, type RpcAnswer, type RpcRequest } from 'strata-kit/rpc/calls';
import { createFaultLayer, type FaultOptions } from 'strata-kit/rpc/faults/layer';
import { READ_METHODS } from 'strata-kit/rpc/methods';
import type { BlockEvents, RpcNode } from 'strata-kit/rpc/node';
import { type RpcLimits, startRpcServer } from 'strata-kit/rpc/server';
import type { Capture } from '../capture/reader.ts';
import { createReplayChain } from './chain.ts';
import { createViewer } from './faults/view.ts';
import { newBlockEvents } from './new-block.ts';
import { rpcChain } from './rpc-chain.ts';

export interface ReplayOptions extends RpcLimits {
  readonly capture: Capture;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Heights are revealed one by one, this long after each other; without it all are there at once. */
  readonly paceMs?: number;
  readonly clock?: Clock;
  /** PEM texts with which it answers https. */
  readonly tls?: { readonly key: string; readonly cert: string };
  /** What the node does wrong; `respond` sees the answers that come of it. */
  readonly faults?: FaultOptions;
  /** May delay, change or replace an answer before it is sent; throwing drops the connection. */
  readonly respond?: (request: RpcRequest, answer: RpcAnswer) => RpcAnswer | Promise<RpcAnswer>;
  /** What went wrong outside any answer, such as a broken socket. */
  readonly onError?: (error: unknown) => void;
}

export interface Replay {
  /** http://host:port, or https:// */
  readonly url: string;
  /** The height revealed so far. */
  head(): number;
  close(): Promise<void>;
}

/**
 * Serves a capture as a CometBFT 0.38 RPC, with NewBlock on /websocket. The capture stays the caller's to close.
 * Errors: config_invalid when the address cannot be listened on.
 */
export async function startReplay(options: ReplayOptions): Promise<Replay> {
  const { capture, paceMs = 0, respond, clock = systemClock, onError = () => {} } = options;
  const { host, port } = options;
  const chain = createReplayChain(
    capture,
    paceMs > 0 ? capture.blocks.firstHeight : capture.blocks.lastHeight,
  );
  const listeners = new Set<(events: BlockEvents) => void>();
  const node: RpcNode = {
    chain: rpcChain(chain),
    methods: new Map(READ_METHODS),
    onEvents(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onError,
    close: () => {},
  };
  const { faults } = options;
  const answer =
    faults === undefined
      ? answerHttp
      : createFaultLayer(faults, (run) => createViewer(chain, faults.chances, run)).answer;
  const server = await startRpcServer({
    ...options,
    // what was recorded is public
    allowedHosts: 'any',
    node: () => node,
    async answer(served, request, exchange) {
      const prepared = await answer(served, request, exchange);
      return prepared === undefined || respond === undefined ? prepared : respond(request, prepared);
    },
  }).catch((cause: Error) => {
    const message = `the replay cannot listen on ${host}:${port}: ${cause.message}`;
    throw new StrataError('config_invalid', message, { cause });
  });

  const stop = new AbortController();
  async function pace(): Promise<void> {
    while (chain.head() < chain.last) {
      await clock.sleep(paceMs, stop.signal);
      if (stop.signal.aborted) return;
      chain.reveal(chain.head() + 1);
      const events = newBlockEvents(await chain.texts(chain.head()));
      for (const listener of listeners) listener(events);
    }
  }
  const pacing = paceMs > 0 ? pace().catch(onError) : Promise.resolve();

  return {
    url: server.url,
    head: () => chain.head(),
    close: async () => {
      stop.abort();
      await Promise.all([server.close(), pacing]);
    },
  };
}
