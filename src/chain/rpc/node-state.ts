import { backoffMs } from 'strata-kit/backoff';
import { isStrataError } from 'strata-kit/errors';
import { createLearning, type Learning } from './dialect.ts';
import type { HttpNode } from './http.ts';
import { createPace, type Pace } from './pace.ts';
import { createWindow, type Window } from './window.ts';

/** What is known of one node's health. Times are the clock's milliseconds. */
export interface NodeState {
  readonly http: HttpNode;
  readonly name: string;
  /** Failures without a success between them. */
  failures: number;
  /** Useless answers that came with a good status; forgotten after BAD_ANSWERS_KEPT_MS without one. */
  badAnswers: number;
  lastBadAnswerMs: number;
  /** The node is left alone until then, unless there is no other. */
  coolUntilMs: number;
  /** A height that the node said it has not reached, and until when that counts. */
  lagging: { readonly height: number; readonly untilMs: number } | undefined;
  /** Exponential mean of a request's duration. */
  latencyMs: number;
  lastSuccessMs: number;
  latestHeight: number;
  earliestHeight: number;
  chainId: string | undefined;
  /** Why the node is not asked, and until when. */
  excluded: { readonly reason: string; readonly untilMs: number } | undefined;
  /** How often in a row something answered that is no CometBFT node. */
  foreignAnswers: number;
  readonly learning: Learning;
  readonly window: Window;
  readonly pace: Pace;
  /** Heights in a request; not whole while it grows back after answers that were too large or too slow. */
  heightsPerRequest: number;
  lastError: string | undefined;
  /** Exponential mean of exchanges that failed or brought nothing of use, and since when it stands. */
  faultShare: number;
  faultShareMs: number;
  /** Useful exchanges since the last useless answer. */
  goodAnswers: number;
  /** Failures are told in one line for many. */
  untoldFailures: number;
  toldAtMs: number;
}

/** A failure alone is no reason to leave a node alone; the second in a row is, and each one more four times as much. */
const FIRST_COOLDOWN_MS = 50;
const COOLDOWN_GROWTH = 4;
const MAX_COOLDOWN_MS = 30_000;
/** A node that has answered so lately is up: what fails now and then is asked for again soon. */
const RECENT_SUCCESS_MS = 5_000;
/**
 * After useless answers, and failures of a node that is up. Other nodes come first by their share of faults; where there
 * is no other, a wait cures nothing.
 */
const MAX_SHORT_COOLDOWN_MS = 2_000;
const BAD_ANSWERS_KEPT_MS = 60_000;
/** So many useful exchanges make up for a useless answer. */
const GOOD_ANSWERS = 4;
const LAG_KEPT_MS = 500;
const FAULT_WEIGHT = 0.1;
/** Half of what is held against a node is forgotten in this time. */
const FAULT_HALF_LIFE_MS = 30_000;
const TELL_MS = 10_000;

export interface NodeLimits {
  /** Calls in a batch, where the node takes so many. */
  readonly batchCalls: number;
  /** Requests for blocks in flight, at most. */
  readonly requests: number;
  readonly requestsPerSecond: number | undefined;
}

export function createNodeState(http: HttpNode, limits: NodeLimits, nowMs: number): NodeState {
  const { batchCalls, requests, requestsPerSecond } = limits;
  return {
    http,
    name: http.name,
    failures: 0,
    badAnswers: 0,
    lastBadAnswerMs: 0,
    coolUntilMs: 0,
    lagging: undefined,
    latencyMs: 0,
    lastSuccessMs: Number.NEGATIVE_INFINITY,
    latestHeight: 0,
    earliestHeight: 0,
    chainId: undefined,
    excluded: undefined,
    foreignAnswers: 0,
    learning: createLearning(batchCalls),
    window: createWindow(requests, nowMs),
    pace: createPace(requestsPerSecond),
    heightsPerRequest: heightsIn(batchCalls),
    lastError: undefined,
    faultShare: 0,
    faultShareMs: 0,
    goodAnswers: 0,
    untoldFailures: 0,
    toldAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** The share of a node's exchanges that went wrong of late, 0 to 1. */
export function faultShareOf(node: NodeState, nowMs: number): number {
  return node.faultShare * 2 ** ((node.faultShareMs - nowMs) / FAULT_HALF_LIFE_MS);
}

function noteShare(node: NodeState, isFault: boolean, nowMs: number): void {
  node.faultShare = faultShareOf(node, nowMs) * (1 - FAULT_WEIGHT) + (isFault ? FAULT_WEIGHT : 0);
  node.faultShareMs = nowMs;
}

/** How many failures a line stands for that is due now; undefined while one was written lately. */
export function failuresToTell(node: NodeState, nowMs: number): number | undefined {
  node.untoldFailures++;
  if (nowMs - node.toldAtMs < TELL_MS) return undefined;
  const count = node.untoldFailures;
  node.untoldFailures = 0;
  node.toldAtMs = nowMs;
  return count;
}

/** Heights that a batch of so many calls holds, two a height. */
export function heightsIn(batchCalls: number): number {
  return Math.max(1, Math.floor(batchCalls / 2));
}

/** An answer for so many heights was too large or too slow: fewer are asked for. */
export function noteHeavy(node: NodeState, heights: number): void {
  node.heightsPerRequest = Math.min(node.heightsPerRequest, Math.max(1, Math.floor(heights / 2)));
}

/** Ten good answers make up for one height. */
export function noteLight(node: NodeState): void {
  node.heightsPerRequest = Math.min(heightsIn(node.learning.wanted.calls), node.heightsPerRequest + 0.1);
}

export function isExcluded({ excluded }: NodeState, nowMs: number): boolean {
  return excluded !== undefined && nowMs < excluded.untilMs;
}

/** A node that says that it is asked too much does nothing wrong, and is left alone until its pause is over. */
export function noteAskedTooMuch(node: NodeState, error: Error): void {
  node.lastError = error.message;
  node.coolUntilMs = Math.max(node.coolUntilMs, node.pace.pausedUntilMs);
}

export function noteSuccess(node: NodeState, tookMs: number, nowMs: number): void {
  node.failures = 0;
  node.goodAnswers++;
  node.lastSuccessMs = nowMs;
  noteShare(node, false, nowMs);
  node.latencyMs = node.latencyMs === 0 ? tookMs : node.latencyMs * 0.8 + tookMs * 0.2;
}

/** An exchange that failed; from the second in a row on the node cools down, longer with each, half of it random. */
export function noteFailure(node: NodeState, error: Error, nowMs: number, random: () => number): void {
  node.lastError = error.message;
  noteShare(node, true, nowMs);
  // requests that were in flight together fail together: they count as one
  if (nowMs < node.coolUntilMs) return;
  node.failures++;
  const isUp = nowMs - node.lastSuccessMs < RECENT_SUCCESS_MS;
  cool(node, node.failures - 1, nowMs, random, isUp ? MAX_SHORT_COOLDOWN_MS : MAX_COOLDOWN_MS);
}

/** An answer that turned out useless after its exchange had succeeded. */
export function noteBadAnswer(node: NodeState, error: Error, nowMs: number, random: () => number): void {
  node.lastError = error.message;
  if (isStrataError(error, 'height_pruned')) {
    node.earliestHeight = Math.max(node.earliestHeight, error.lowestHeight ?? 0);
  } else if (isStrataError(error, 'node_lagging') || isStrataError(error, 'results_not_ready')) {
    noteLagging(node, error.height ?? 0, nowMs);
  } else if (nowMs >= node.coolUntilMs) {
    const isAlone = nowMs - node.lastBadAnswerMs > BAD_ANSWERS_KEPT_MS || node.goodAnswers >= GOOD_ANSWERS;
    node.badAnswers = isAlone ? 1 : node.badAnswers + 1;
    node.lastBadAnswerMs = nowMs;
    node.goodAnswers = 0;
    noteShare(node, true, nowMs);
    cool(node, node.badAnswers, nowMs, random, MAX_SHORT_COOLDOWN_MS);
  }
}

export function noteLagging(node: NodeState, height: number, nowMs: number): void {
  node.lagging = { height, untilMs: nowMs + LAG_KEPT_MS };
}

export function isLagging(node: NodeState, height: number, nowMs: number): boolean {
  return node.lagging !== undefined && node.lagging.height <= height && nowMs < node.lagging.untilMs;
}

function cool(node: NodeState, count: number, nowMs: number, random: () => number, maxMs: number): void {
  const backoff = { firstMs: FIRST_COOLDOWN_MS, maxMs, growth: COOLDOWN_GROWTH };
  node.coolUntilMs = nowMs + backoffMs(backoff, count, random);
}
