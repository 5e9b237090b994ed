import { type Clock, systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { trustedCertificates } from 'strata-kit/http/trusted';
import { linkAbort } from 'strata-kit/linked-abort';
import { type NodeAccess, PLAIN_ACCESS } from 'strata-kit/node-access';
import { type ChainLog, silentLog } from '../log.ts';
import type { SourceObserver } from '../observer.ts';
import type { BlockSource, ChainHead, RpcCaller } from '../source.ts';
import { createAsk } from './ask.ts';
import { createBlockFetcher } from './block-fetcher.ts';
import { abciQueryParams, readAbciAnswer } from './calls.ts';
import { type Dialect, describeDialect } from './dialect.ts';
import { createHeads } from './heads.ts';
import { createHttpNode } from './http.ts';
import { createNodePool } from './node-pool.ts';
import { createNodeState, heightsIn, isExcluded, type NodeState } from './node-state.ts';
import { createSend } from './send.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';
import { FIRST_WINDOW, MAX_WINDOW } from './window.ts';

export interface RpcSourceOptions {
  /** http or https, with `user:password@`, a path and a query where needed. */
  readonly urls: readonly string[];
  readonly access?: NodeAccess;
  /** The chain that every node must serve; undefined takes that of most nodes, of the first where that leaves several. */
  readonly chainId?: string | undefined;
  /** Longest silence in one request; the whole body may take 8 times as long. */
  readonly timeoutMs?: number;
  /** Requests for blocks in flight at each node, at most; how many there are follows what they bring. */
  readonly maxConcurrentRequests?: number;
  /** Calls in one batch, 10 at most (CometBFT's default limit); a node that takes fewer gets fewer. */
  readonly batchCalls?: number;
  readonly maxBodyBytes?: number;
  /** Attempts of one request, for each node. */
  readonly attemptsPerNode?: number;
  /** No attempt of a request starts later than this after its first. */
  readonly maxTotalMs?: number;
  readonly clock?: Clock;
  readonly log?: ChainLog;
  readonly observer?: SourceObserver;
  /** 0 to 1, for jitter. */
  readonly random?: () => number;
}

/** Nodes of one chain, with what is learned of them. */
export interface RpcSource extends BlockSource, RpcCaller {
  /** How requests for blocks are sent to a node that takes them all, in words. */
  readonly wantedDialect: string;
  /** How this node takes them, as far as is known. */
  dialectOf(url: string): string;
}

const TIMEOUT_MS = 15_000;
const MAX_BATCH_CALLS = 10;
/** Of one answer while FIRST_WINDOW requests are in flight, and less the more there are. */
const MAX_BODY_BYTES = 256_000_000;
/** With the pauses between them a node may be down for a minute, as in a restart. */
const ATTEMPTS_PER_NODE = 10;
const MAX_TOTAL_MS = 120_000;
/** Until a node has answered for the first time: a mistyped port is told in seconds. */
const START_ATTEMPTS_PER_NODE = 3;
const START_TOTAL_MS = 5_000;
/** How long a slower node's head is waited for once one node has answered. */
const HEAD_GRACE_MS = 250;
/** How often heights are polled while no websocket is up. */
const POLL_MS = 1_000;

/**
 * A chain behind one or more CometBFT RPC nodes. Blocks are asked for in JSON-RPC batches whose answers are handed
 * on unread; health, back-off, failover and deadlines are in here.
 */
export function createRpcSource(options: RpcSourceOptions): RpcSource {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLog;
  const random = options.random ?? Math.random;
  const observer = options.observer ?? {};
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const requests = options.maxConcurrentRequests ?? MAX_WINDOW;
  const batchCalls = Math.min(options.batchCalls ?? MAX_BATCH_CALLS, MAX_BATCH_CALLS);
  const wanted: Dialect = { transport: 'post', calls: batchCalls };
  const heightsPerTask = heightsIn(batchCalls);
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  const access = options.access ?? PLAIN_ACCESS;
  const ca = trustedCertificates(access.caPath);
  const { requestsPerSecond } = access;
  const nodeOf = new Map<string, NodeState>();
  const urlOf = new Map<NodeState, string>();
  const nodes = options.urls.map((url) => {
    // two more than blocks may take: heads and queries never wait for them
    const connection = {
      connections: requests + 2,
      connectTimeoutMs: timeoutMs,
      headers: access.headers[url],
      ca,
    };
    const node = createNodeState(
      createHttpNode(url, connection),
      { batchCalls, requests, requestsPerSecond },
      clock.nowMs(),
    );
    urlOf.set(node, url);
    nodeOf.set(url, node);
    return node;
  });
  const limits = {
    maxAttempts: (options.attemptsPerNode ?? ATTEMPTS_PER_NODE) * nodes.length,
    maxTotalMs: options.maxTotalMs ?? MAX_TOTAL_MS,
  };
  const startLimits = {
    maxAttempts: Math.min(limits.maxAttempts, START_ATTEMPTS_PER_NODE * nodes.length),
    maxTotalMs: Math.min(limits.maxTotalMs, START_TOTAL_MS),
  };
  const pool = createNodePool(nodes, limits, { clock, log, random, observer });
  const room = (): number => roomOf(nodes, clock.nowMs());
  const send = createSend({ clock, random, observer, timeoutMs, maxBodyBytes: bodyLimit });
  const request = createAsk(send, clock.nowMs);
  const heads = createHeads({ nodes, request, chainId: options.chainId, log, clock });
  const blocks = createBlockFetcher({
    nodes,
    pool,
    heads,
    send,
    room,
    heightsPerTask,
    clock,
    log,
    random,
    observer,
  });
  /** Nodes that were asked for their head and have not answered yet. */
  const silent = new Set<NodeState>();
  let wakeup: Wakeup | undefined;

  /** What all answers may hold together does not grow with their number. */
  function bodyLimit(): number {
    return Math.floor(maxBodyBytes * Math.min(1, FIRST_WINDOW / room()));
  }

  async function call(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    attemptsPerNode?: number,
  ): Promise<string> {
    const ofCall =
      attemptsPerNode === undefined
        ? {}
        : { limits: { ...limits, maxAttempts: attemptsPerNode * nodes.length } };
    return pool.run(
      { name: method, isOptional: true, ...ofCall },
      async (node) => {
        await heads.verify(node, signal);
        return request(node, method, params, signal);
      },
      signal,
    );
  }

  /** Every healthy node is asked at once; the best answer within HEAD_GRACE_MS of the first counts. */
  async function head(signal?: AbortSignal): Promise<ChainHead> {
    const stop = linkAbort(signal);
    try {
      return await askHeads(stop.signal);
    } finally {
      stop.unlink();
    }
  }

  async function askHeads(signal: AbortSignal): Promise<ChainHead> {
    const nowMs = clock.nowMs();
    const usable = nodes.filter((node) => !isExcluded(node, nowMs) && node.coolUntilMs <= nowMs);
    const idle = usable.filter((node) => !silent.has(node));
    const healthy = idle.length > 0 ? idle : usable;
    const heard: ChainHead[] = [];
    const asked = healthy.map(async (node) => {
      try {
        silent.add(node);
        heard.push(await heads.ask(node, signal));
      } catch (error) {
        if (error instanceof StrataError) pool.noteFailure(node, error);
        throw error;
      } finally {
        silent.delete(node);
      }
    });
    const isHeard = await Promise.any(asked).then(
      () => true,
      // each failure is noted; the pool asks again with pauses, and says in the end what is wrong
      () => false,
    );
    if (!isHeard) {
      const isKnown = nodes.some((node) => node.chainId !== undefined);
      const task = { name: 'status', limits: isKnown ? limits : startLimits };
      return pool.run(task, (node) => heads.ask(node, signal), signal);
    }
    const grace = new AbortController();
    await Promise.race([Promise.allSettled(asked), clock.sleep(HEAD_GRACE_MS, grace.signal)]);
    grace.abort();
    return bestHead(heard);
  }

  async function pollHeight(height: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await clock.sleep(POLL_MS, signal);
      if (signal.aborted || wakeup?.isConnected() === true) return;
      const latest = await head(signal).then(
        (told) => told.latestHeight,
        // the caller asks for the head itself and hears then what is wrong
        () => 0,
      );
      if (latest > height) return;
    }
  }

  function startWakeup(): Wakeup {
    return createWakeup(
      () => {
        const node = pool.pick();
        const url = node === undefined ? undefined : urlOf.get(node);
        return url === undefined ? undefined : { url, headers: access.headers[url], ca };
      },
      clock,
      log,
      random,
    );
  }

  async function waitForHeightAbove(height: number, waitMs: number, signal?: AbortSignal): Promise<void> {
    wakeup ??= startWakeup();
    const stop = linkAbort(signal);
    const woken = wakeup.next(height, stop.signal);
    const polled = wakeup.isConnected() ? woken : pollHeight(height, stop.signal);
    await Promise.race([woken, polled, clock.sleep(waitMs, stop.signal)]);
    stop.abort();
    stop.unlink();
  }

  return {
    name: nodes.map((node) => node.name).join(', '),
    wantedDialect: describeDialect(wanted),
    dialectOf: (url) => describeDialect(nodeOf.get(url)?.learning.current ?? wanted),
    wantedHeights: () => room() * heightsPerTask,
    head,
    expectChain: heads.expect,
    fetch: blocks.fetch,
    reportBad: blocks.reportBad,
    call,
    abciQuery: async (path, data, height = 0, signal) => {
      const result = await call('abci_query', abciQueryParams(path, data, height), signal);
      return readAbciAnswer(result, {});
    },
    waitForHeightAbove,
    close: async () => {
      wakeup?.close();
      await Promise.all(nodes.map((node) => node.http.close()));
    },
  };
}

/** Requests for blocks that the nodes which can be asked may have in flight together. */
function roomOf(nodes: readonly NodeState[], nowMs: number): number {
  const known = nodes.filter((node) => !isExcluded(node, nowMs));
  const ready = known.filter(({ coolUntilMs }) => coolUntilMs <= nowMs);
  const sum = (ready.length > 0 ? ready : known).reduce((total, { window }) => total + window.size, 0);
  return Math.max(1, sum);
}

/** The highest node speaks for the chain; the lowest height is the lowest that any node has. */
function bestHead(heads: readonly ChainHead[]): ChainHead {
  const [first, ...others] = heads;
  if (first === undefined)
    throw new StrataError('node_unreachable', 'no node told its head', { retryable: true });
  const best = others.reduce((a, b) => (b.latestHeight > a.latestHeight ? b : a), first);
  return { ...best, earliestHeight: Math.min(...heads.map((head) => head.earliestHeight)) };
}
