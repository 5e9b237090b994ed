import { backoffMs } from 'strata-kit/backoff';
import type { Clock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import type { ChainLog } from '../log.ts';
import type { SourceObserver } from '../observer.ts';
import { causeOf } from './answer-cause.ts';
import {
  failuresToTell,
  faultShareOf,
  isExcluded,
  isLagging,
  type NodeState,
  noteAskedTooMuch,
  noteFailure,
  noteLagging,
} from './node-state.ts';
import { isFull } from './window.ts';

export interface PoolLimits {
  /** Attempts of one task, over all nodes; one that a node answers with 429 is none. */
  readonly maxAttempts: number;
  /** No attempt of a task starts later than this after its first. */
  readonly maxTotalMs: number;
}

/** What a task needs of a node. */
export interface Task {
  /** For messages, e.g. `heights 10 to 14`. */
  readonly name: string;
  readonly fromHeight?: number;
  readonly toHeight?: number;
  /** Asked first while it is healthy. */
  readonly preferred?: NodeState;
  /** Instead of the pool's. */
  readonly limits?: PoolLimits;
  /** Grows with each attempt that brought a part; attempts count anew then. */
  readonly progress?: () => number;
  /** A method that a node may not have: its refusal counts more than that another node is away. */
  readonly isOptional?: boolean;
  /** The code of the error when every node has failed; undefined keeps that of the last failure. */
  readonly exhaustedCode?: 'sources_exhausted';
}

export interface NodePool {
  readonly nodes: readonly NodeState[];
  /** A healthy node for a new range; the choice rotates. Undefined when there is none. */
  pick(): NodeState | undefined;
  /** For what was asked outside of run. */
  noteFailure(node: NodeState, error: StrataError): void;
  /**
   * Runs a task on one node after another until it succeeds or its attempts or its time are used up.
   * Errors: height_pruned or chain_id_mismatch when that holds for every node, node_lagging or results_not_ready
   * when nothing else is wrong, aborted, else as the task says, naming every node's last error.
   */
  run<T>(task: Task, attempt: (node: NodeState) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface PoolTools {
  readonly clock: Clock;
  readonly log: ChainLog;
  /** 0 to 1, for jitter. */
  readonly random: () => number;
  readonly observer: SourceObserver;
}

const LAG_BACKOFF = { firstMs: 100, maxMs: 1_000 };
/** A node this much slower than the fastest is asked only when the others cannot answer. */
const SLOW_FACTOR = 5;
const SLOW_MS = 500;
/** So is one of which so much more goes wrong than of the best. */
const FAULTY_SHARE = 0.08;
/** Before the same node is asked again for what it has just failed at. */
const RETRY_PAUSE_MS = 30;

export function createNodePool(
  nodes: readonly NodeState[],
  limits: PoolLimits,
  { clock, log, random, observer }: PoolTools,
): NodePool {
  let turn = 0;

  /** Lower is better; whole numbers count defects, the fraction is the node's turn. */
  function rank(
    node: NodeState,
    task: Task,
    failed: ReadonlyMap<NodeState, StrataError>,
    nowMs: number,
  ): number {
    const fastestMs = Math.min(...nodes.map((other) => (other.latencyMs === 0 ? Infinity : other.latencyMs)));
    const fewestFaults = Math.min(...nodes.map((other) => faultShareOf(other, nowMs)));
    const defects =
      (node.coolUntilMs > nowMs ? 8 : 0) +
      (failed.has(node) ? 4 : 0) +
      (isLagging(node, task.toHeight ?? 0, nowMs) ? 2 : 0) +
      (faultShareOf(node, nowMs) > fewestFaults + FAULTY_SHARE ? 2 : 0) +
      (node.latencyMs > SLOW_MS && node.latencyMs > SLOW_FACTOR * fastestMs ? 1 : 0) +
      (isFull(node.window) ? 1 : 0);
    if (defects === 0 && node === task.preferred) return -1;
    return defects + ((nodes.indexOf(node) - turn + nodes.length * 2) % nodes.length) / nodes.length;
  }

  function choose(task: Task, failed: ReadonlyMap<NodeState, StrataError>): NodeState | undefined {
    const nowMs = clock.nowMs();
    const usable = nodes.filter(
      (node) =>
        !isExcluded(node, nowMs) &&
        failed.get(node)?.retryable !== false &&
        !isPrunedBelow(node, task.fromHeight),
    );
    if (usable.length > 0 && usable.every((node) => node.coolUntilMs > nowMs)) {
      return usable.reduce((a, b) => (b.coolUntilMs < a.coolUntilMs ? b : a));
    }
    const ranked = usable.map((node) => ({ node, rank: rank(node, task, failed, nowMs) }));
    return ranked.sort((a, b) => a.rank - b.rank)[0]?.node;
  }

  function noteError(node: NodeState, error: StrataError): void {
    const nowMs = clock.nowMs();
    observer.onError?.(node.name, error.code);
    if (isEarly(error)) noteLagging(node, error.height ?? 0, nowMs);
    else if (error.code === 'height_pruned')
      node.earliestHeight = Math.max(node.earliestHeight, error.lowestHeight ?? 0);
    if (isEarly(error) || !error.retryable) return;
    if (causeOf(error).isThrottled === true) noteAskedTooMuch(node, error);
    else noteFailure(node, error, nowMs, random);
    // heads.ts logs that something else than a node answers
    if (causeOf(error).isForeign === true) return;
    const failures = failuresToTell(node, nowMs);
    if (failures === undefined) return;
    log.warn({ node: node.name, failures, code: error.code, reason: error.message }, 'a node failed');
  }

  async function run<T>(
    task: Task,
    attempt: (node: NodeState) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const startedMs = clock.nowMs();
    const { maxAttempts, maxTotalMs } = task.limits ?? limits;
    const failed = new Map<NodeState, StrataError>();
    let reached = task.progress?.() ?? 0;
    for (let attempts = 1, lags = 0; ; attempts++) {
      const isRefused = task.isOptional === true && refusalAmong(failed) !== undefined;
      const node = isRefused && attempts > 2 * nodes.length ? undefined : choose(task, failed);
      const giveUpNow = () => giveUp(nodes, task, failed, attempts - 1, clock.nowMs());
      if (node === undefined || attempts > maxAttempts) throw giveUpNow();
      const before = failed.get(node);
      const pauseMs =
        before !== undefined && isEarly(before)
          ? backoffMs(LAG_BACKOFF, ++lags, random)
          : before === undefined
            ? 0
            : RETRY_PAUSE_MS;
      const waitMs = Math.max(node.coolUntilMs - clock.nowMs(), pauseMs);
      if (clock.nowMs() + waitMs - startedMs > maxTotalMs) throw giveUpNow();
      if (waitMs > 0) await clock.sleep(waitMs, signal);
      if (signal?.aborted === true) throw new StrataError('aborted', `asking for ${task.name} was stopped`);
      try {
        return await attempt(node);
      } catch (error) {
        if (!(error instanceof StrataError) || error.code === 'aborted') throw error;
        failed.set(node, error);
        noteError(node, error);
        if (causeOf(error).isThrottled === true) attempts--;
        const progress = task.progress?.() ?? 0;
        if (progress > reached) attempts = 0;
        reached = progress;
      }
    }
  }

  return {
    nodes,
    pick: () => {
      turn = (turn + 1) % Math.max(1, nodes.length);
      return choose({ name: '' }, new Map());
    },
    noteFailure: noteError,
    run,
  };
}

/** An error that time alone cures. */
function isEarly(error: StrataError): boolean {
  return error.code === 'node_lagging' || error.code === 'results_not_ready';
}

function isPrunedBelow(node: NodeState, height: number | undefined): boolean {
  return height !== undefined && height < node.earliestHeight;
}

/** The one error that stands for what each node said. */
function giveUp(
  nodes: readonly NodeState[],
  task: Task,
  failed: ReadonlyMap<NodeState, StrataError>,
  attempts: number,
  nowMs: number,
): StrataError {
  const usable = nodes.filter((node) => !isExcluded(node, nowMs));
  const excluded = nodes.filter((node) => isExcluded(node, nowMs));
  const excludedReasons = excluded.map((node) => `${node.name}: ${node.excluded?.reason}`);
  if (usable.length === 0) {
    return new StrataError('chain_id_mismatch', `no node serves the chain: ${excludedReasons.join('; ')}`);
  }
  const cause = (task.isOptional === true ? refusalAmong(failed) : undefined) ?? [...failed.values()].at(-1);
  const height = task.fromHeight;
  const facts = { cause, ...(height === undefined ? {} : { height }) };
  if (usable.every((node) => isPrunedBelow(node, height) || failed.get(node)?.code === 'height_pruned')) {
    const lowestHeight = Math.min(...usable.map((node) => node.earliestHeight));
    const reason = `${task.name}: no node has height ${height}, the lowest is ${lowestHeight}`;
    return new StrataError('height_pruned', reason, { ...facts, lowestHeight });
  }
  const reasons = [
    ...usable.map((node) => reasonOf(node, failed.get(node)?.message ?? node.lastError)),
    ...excludedReasons,
  ];
  const tries = attempts > 1 ? ` in ${attempts} attempts` : '';
  const message = `${task.name}: no node answered${tries}: ${reasons.join('; ')}`;
  const asked = usable.filter((node) => !isPrunedBelow(node, height)).map((node) => failed.get(node));
  if (asked.every((error) => error !== undefined && isEarly(error))) {
    const isLag = asked.every((error) => isStrataError(error, 'node_lagging'));
    return new StrataError(isLag ? 'node_lagging' : 'results_not_ready', message, {
      ...facts,
      retryable: true,
    });
  }
  return new StrataError(task.exhaustedCode ?? cause?.code ?? 'node_unreachable', message, facts);
}

/** What a node says that would not have it at another time either. */
function refusalAmong(failed: ReadonlyMap<NodeState, StrataError>): StrataError | undefined {
  return [...failed.values()].find((error) => error.code === 'node_rpc_error' && !error.retryable);
}

/** Most messages name their node already. */
function reasonOf({ name }: NodeState, message = 'not asked'): string {
  return message.startsWith(name) ? message : `${name}: ${message}`;
}
