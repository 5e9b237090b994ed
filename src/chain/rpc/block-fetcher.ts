import PQueue from 'p-queue';
import type { Clock } from 'strata-kit/clock';
import { isStrataError } from 'strata-kit/errors';
import { linkAbort } from 'strata-kit/linked-abort';
import type { ChainLog } from '../log.ts';
import type { SourceObserver } from '../observer.ts';
import type { BlockSource, FetchOptions, RawBody, RawRange } from '../source.ts';
import { causeOf } from './answer-cause.ts';
import type { Send } from './ask.ts';
import { type Dialect, describeDialect, isSame } from './dialect.ts';
import type { Heads } from './heads.ts';
import type { NodePool, Task } from './node-pool.ts';
import { failuresToTell, type NodeState, noteBadAnswer, noteSuccess } from './node-state.ts';
import { askBodies, isTooLarge, type SendTo } from './ranges.ts';
import { noteArrived, noteEnded, noteOverload, noteSent } from './window.ts';

/** A body, and the node that sent it. */
type Part = readonly [node: NodeState, body: RawBody];

/** A line about a node's dialect or rate, at most so often. */
const LOG_MS = 10_000;

export interface BlockFetcherTools {
  readonly nodes: readonly NodeState[];
  readonly pool: NodePool;
  readonly heads: Pick<Heads, 'verify'>;
  readonly send: Send;
  /** Requests in flight at all nodes together. */
  readonly room: () => number;
  readonly heightsPerTask: number;
  readonly clock: Clock;
  readonly log: ChainLog;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  readonly observer: SourceObserver;
}

/** Cuts a range into requests, sends them to the nodes, and remembers which node sent what. */
export function createBlockFetcher({
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
}: BlockFetcherTools): Pick<BlockSource, 'fetch' | 'reportBad'> {
  const queue = new PQueue({ concurrency: room() });
  const logDialect = createDialectLog(clock, log);
  const origins = new WeakMap<RawRange, readonly NodeState[]>();

  /** What has come stays, whichever node the rest comes from. */
  async function askHeights(
    wish: Task,
    from: number,
    to: number,
    signal: AbortSignal,
    options: FetchOptions,
  ): Promise<Part[]> {
    const parts: Part[] = [];
    let next = from;
    const attempt = async (node: NodeState): Promise<void> => {
      await heads.verify(node, signal);
      const take = (body: RawBody) => {
        parts.push([node, body]);
        next = body.toHeight + 1;
      };
      await askBlocks(node, next, to, signal, take, options);
    };
    await pool.run({ ...wish, progress: () => next }, attempt, signal);
    return parts;
  }

  async function askBlocks(
    node: NodeState,
    from: number,
    to: number,
    signal: AbortSignal,
    take: (body: RawBody) => void,
    options: FetchOptions,
  ): Promise<void> {
    const { window } = node;
    const startedMs = clock.nowMs();
    noteSent(window);
    try {
      const sendTo: SendTo = async (asked, call) => {
        const sentMs = clock.nowMs();
        const answer = await send(asked, call, signal);
        noteArrived(window, answer.bytes.length, clock.nowMs() - sentMs, clock.nowMs());
        return answer;
      };
      await askBodies(sendTo, node, from, to, clock.nowMs, take, options);
      noteSuccess(node, clock.nowMs() - startedMs, clock.nowMs());
      logDialect(node);
    } catch (error) {
      if (isOverload(error)) noteOverload(window, clock.nowMs());
      throw error;
    } finally {
      noteEnded(window);
      queue.concurrency = room();
    }
  }

  async function fetch(
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
    options: FetchOptions = {},
  ): Promise<RawRange> {
    const stop = linkAbort(signal);
    const preferred = pool.pick();
    const tasks: Promise<Part[]>[] = [];
    for (let from = fromHeight; from <= toHeight; from += heightsPerTask) {
      const to = Math.min(from + heightsPerTask - 1, toHeight);
      const task: Task = {
        name: from === to ? `height ${from}` : `heights ${from} to ${to}`,
        fromHeight: from,
        toHeight: to,
        exhaustedCode: 'sources_exhausted',
        ...(preferred === undefined ? {} : { preferred }),
      };
      tasks.push(queue.add(() => askHeights(task, from, to, stop.signal, options)));
    }
    try {
      return rangeOf(fromHeight, toHeight, (await Promise.all(tasks)).flat());
    } catch (error) {
      stop.abort();
      await Promise.allSettled(tasks);
      throw error;
    } finally {
      stop.unlink();
    }
  }

  function rangeOf(fromHeight: number, toHeight: number, parts: readonly Part[]): RawRange {
    const bodies = parts.map(([, body]) => body);
    const range: RawRange = {
      fromHeight,
      toHeight,
      bodies,
      byteLength: bodies.reduce((sum, body) => sum + body.bytes.length, 0),
      origin: [...new Set(parts.map(([node]) => node.name))].join(', '),
    };
    origins.set(
      range,
      parts.map(([node]) => node),
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

  return { fetch, reportBad };
}

/** The node, or this process, has more in flight than it can take. */
function isOverload(error: unknown): boolean {
  const { isThrottled = false } = causeOf(error);
  return isThrottled || isStrataError(error, 'node_timeout') || isTooLarge(error);
}

/** A line each time that a node turns out to take other requests than before. */
function createDialectLog(clock: Clock, log: ChainLog): (node: NodeState) => void {
  const logged = new Map<NodeState, { readonly dialect: Dialect; readonly atMs: number }>();
  return (node) => {
    const { current, wanted } = node.learning;
    const last = logged.get(node) ?? { dialect: wanted, atMs: Number.NEGATIVE_INFINITY };
    if (isSame(current, last.dialect) || clock.nowMs() - last.atMs < LOG_MS) return;
    logged.set(node, { dialect: current, atMs: clock.nowMs() });
    log.info({ node: node.name }, `a node takes ${describeDialect(current)}`);
  };
}
