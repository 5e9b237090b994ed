import PQueue from 'p-queue';
import { type Clock, systemClock } from '../../core/clock.ts';
import { isStrataError, StrataError } from '../../core/errors.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { type ChainLog, silentLog } from '../log.ts';
import type { SourceObserver } from '../observer.ts';
import type { BlockSource, ChainHead, RawBody, RawRange, RpcCaller } from '../source.ts';
import { createAsk } from './ask.ts';
import { abciQueryParams, readAbciAnswer } from './calls.ts';
import { createHeads } from './heads.ts';
import { createHttpNode } from './http.ts';
import { linkAbort } from './linked-abort.ts';
import { createNodePool, type Task } from './node-pool.ts';
import { createNodeState, failuresToTell, type NodeState, noteBadAnswer, noteSuccess } from './node-state.ts';
import { askBodies } from './ranges.ts';
import { createWakeup, type Wakeup } from './wakeup.ts';

export interface RpcSourceOptions {
  /** http or https, with `user:password@` and a path where needed. */
  readonly urls: readonly string[];
  /** The chain that every node must serve; undefined takes that of most nodes, of the first where that leaves several. */
  readonly chainId?: string | undefined;
  /** Longest silence in one request; the whole body may take 8 times as long. */
  readonly timeoutMs?: number;
  /** Requests for blocks in flight, over all nodes. */
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

const TIMEOUT_MS = 15_000;
const MAX_CONCURRENT_REQUESTS = 8;
const MAX_BATCH_CALLS = 10;
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
export function createRpcSource(options: RpcSourceOptions): BlockSource & RpcCaller {
  const clock = options.clock ?? systemClock;
  const log = options.log ?? silentLog;
  const random = options.random ?? Math.random;
  const observer = options.observer ?? {};
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const concurrency = options.maxConcurrentRequests ?? MAX_CONCURRENT_REQUESTS;
  const batchCalls = Math.min(options.batchCalls ?? MAX_BATCH_CALLS, MAX_BATCH_CALLS);
  const maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
  const urlOf = new Map<NodeState, string>();
  const nodes = options.urls.map((url) => {
    // two more than the queue lets through: heads and queries never wait behind blocks
    const node = createNodeState(createHttpNode(url, concurrency + 2, timeoutMs), batchCalls);
    urlOf.set(node, url);
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
  const post = async (node: NodeState, body: string, signal?: AbortSignal): Promise<HttpAnswer> => {
    const startedMs = clock.nowMs();
    const answer = await node.http.post(body, { timeoutMs, maxBodyBytes, signal });
    observer.onRequest?.(node.name, clock.nowMs() - startedMs, answer.bytes.length);
    return answer;
  };
  const request = createAsk(post);
  const heads = createHeads({ nodes, request, chainId: options.chainId, log, clock });
  const queue = new PQueue({ concurrency });
  const origins = new WeakMap<RawRange, readonly NodeState[]>();
  /** Nodes that were asked for their head and have not answered yet. */
  const silent = new Set<NodeState>();
  let wakeup: Wakeup | undefined;

  function askHeights(
    task: Task,
    from: number,
    to: number,
    signal: AbortSignal,
  ): Promise<[NodeState, RawBody[]]> {
    return pool.run(
      task,
      async (node) => {
        await heads.verify(node, signal);
        const startedMs = clock.nowMs();
        const bodies = await askBodies((asked, body) => post(asked, body, signal), node, from, to);
        noteSuccess(node, clock.nowMs() - startedMs, clock.nowMs());
        return [node, bodies] as [NodeState, RawBody[]];
      },
      signal,
    );
  }

  async function fetch(fromHeight: number, toHeight: number, signal?: AbortSignal): Promise<RawRange> {
    const stop = linkAbort(signal);
    const preferred = pool.pick();
    const heightsPerRequest = Math.max(1, Math.floor(batchCalls / 2));
    const requests: Promise<[NodeState, RawBody[]]>[] = [];
    for (let from = fromHeight; from <= toHeight; from += heightsPerRequest) {
      const to = Math.min(from + heightsPerRequest - 1, toHeight);
      const task: Task = {
        name: from === to ? `height ${from}` : `heights ${from} to ${to}`,
        fromHeight: from,
        toHeight: to,
        exhaustedCode: 'sources_exhausted',
        ...(preferred === undefined ? {} : { preferred }),
      };
      requests.push(queue.add(() => askHeights(task, from, to, stop.signal)));
    }
    try {
      return rangeOf(fromHeight, toHeight, await Promise.all(requests));
    } catch (error) {
      stop.abort();
      await Promise.allSettled(requests);
      throw error;
    } finally {
      stop.unlink();
    }
  }

  function rangeOf(fromHeight: number, toHeight: number, parts: readonly [NodeState, RawBody[]][]): RawRange {
    const asked = [...new Set(parts.map(([node]) => node))];
    const bodies = parts.flatMap(([, answered]) => answered);
    const range: RawRange = {
      fromHeight,
      toHeight,
      bodies,
      byteLength: bodies.reduce((sum, body) => sum + body.bytes.length, 0),
      origin: asked.map((node) => node.name).join(', '),
    };
    origins.set(
      range,
      parts.flatMap(([node, answered]) => answered.map(() => node)),
    );
    return range;
  }

  /** The nodes that may have sent what is bad: those of the height, where the error names one. */
  function nodesBehind(range: RawRange, reason: Error): readonly NodeState[] {
    const byBody = origins.get(range);
    if (byBody === undefined) return nodes.filter((node) => range.origin.split(', ').includes(node.name));
    const height = isStrataError(reason) ? reason.height : undefined;
    const body = range.bodies.findIndex(
      ({ fromHeight, toHeight }) => height !== undefined && fromHeight <= height && height <= toHeight,
    );
    const node = byBody[body];
    return node === undefined ? [...new Set(byBody)] : [node];
  }

  function reportBad(range: RawRange, reason: Error): void {
    for (const node of nodesBehind(range, reason)) {
      noteBadAnswer(node, reason, clock.nowMs(), random);
      observer.onError?.(node.name, isStrataError(reason) ? reason.code : 'node_bad_answer');
      const failures = failuresToTell(node, clock.nowMs());
      if (failures === undefined) continue;
      const heights = [range.fromHeight, range.toHeight];
      log.warn({ node: node.name, failures, heights, reason: reason.message }, 'an answer could not be used');
    }
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
      { name: method, ...ofCall },
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
    const usable = nodes.filter((node) => node.excluded === undefined && node.coolUntilMs <= nowMs);
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
        return node === undefined ? undefined : urlOf.get(node);
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
    head,
    expectChain: heads.expect,
    fetch,
    reportBad,
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

/** The highest node speaks for the chain; the lowest height is the lowest that any node has. */
function bestHead(heads: readonly ChainHead[]): ChainHead {
  const [first, ...others] = heads;
  if (first === undefined)
    throw new StrataError('node_unreachable', 'no node told its head', { retryable: true });
  const best = others.reduce((a, b) => (b.latestHeight > a.latestHeight ? b : a), first);
  return { ...best, earliestHeight: Math.min(...heads.map((head) => head.earliestHeight)) };
}
