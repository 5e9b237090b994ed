/**
 * How many requests for blocks a node is sent at once. It grows while the node answers as fast as ever, or while that brings
 * more bytes a second: so it does where the way to the node is long. It shrinks where requests wait at the node and fewer
 * bring as much, and when the node is overloaded. Times are the clock's milliseconds.
 */
export interface Window {
  readonly most: number;
  size: number;
  inFlight: number;
  /** Doubles until the first growth that brings nothing, then grows by a quarter. */
  isStarting: boolean;
  /** What the last change started from; undefined while the size is not on trial. */
  trial: { readonly fromSize: number; readonly fromRate: number } | undefined;
  /** Whether the trial that is due shrinks, where requests wait: a machine's own swings would else only let it grow. */
  shrinksNext: boolean;
  /** The shortest time that an answer took. */
  bestMs: number;
  /** Whole measurements to wait before the next trial. */
  rest: number;
  /** Answers to requests of before the last change of the size, which the next measurement leaves out. */
  toSkip: number;
  /** The measurement that runs. */
  since: number;
  answers: number;
  bytes: number;
  /** Of all answers together. */
  tookMs: number;
  /** As many requests as the window allows were in flight at some time of it, so that the window was the limit. */
  wasFull: boolean;
  /** A node that is overloaded fails what it was sent before: that counts once. */
  deafUntilMs: number;
}

/** Enough for a node on the same machine or in the same network. */
export const FIRST_WINDOW = 8;
/** 5 heights each: 1,600 blocks/s from a node 400 ms away. CometBFT serves 900 connections. */
export const MAX_WINDOW = 128;
/** A growth that brings less than this is taken back, and so is a shrinking that brings less than that. */
const WORTHWHILE = 1.1;
const HARMLESS = 0.95;
/** How many times as long as the best an answer takes: below the first the node is idle, above the second requests wait. */
const IDLE = 1.5;
const WAITING = 3;
const REST = 4;
const MEASURE_MS = 100;
const DEAF_MS = 1_000;
/** What a request costs besides its bytes, so that small blocks are no reason to shrink. */
const REQUEST_BYTES = 4_096;

export function createWindow(most: number, nowMs: number): Window {
  return {
    most,
    size: Math.min(FIRST_WINDOW, most),
    inFlight: 0,
    isStarting: true,
    trial: undefined,
    shrinksNext: false,
    bestMs: Number.POSITIVE_INFINITY,
    rest: 0,
    toSkip: 0,
    since: nowMs,
    answers: 0,
    bytes: 0,
    tookMs: 0,
    wasFull: false,
    deafUntilMs: Number.NEGATIVE_INFINITY,
  };
}

export function isFull(window: Window): boolean {
  return window.inFlight >= window.size;
}

export function noteSent(window: Window): void {
  window.inFlight++;
  if (isFull(window)) window.wasFull = true;
}

/** Of a request that ended in whatever way. */
export function noteEnded(window: Window): void {
  window.inFlight--;
}

/** An answer of so many bytes came after so long. */
export function noteArrived(window: Window, byteLength: number, tookMs: number, nowMs: number): void {
  window.bestMs = Math.min(window.bestMs, Math.max(1, tookMs));
  if (window.toSkip > 0) {
    window.toSkip--;
    if (window.toSkip === 0) measureAnew(window, nowMs);
    return;
  }
  window.answers++;
  window.bytes += byteLength + REQUEST_BYTES;
  window.tookMs += tookMs;
  const sinceMs = nowMs - window.since;
  if (window.answers < window.size || sinceMs < MEASURE_MS) return;
  if (window.wasFull) decide(window, window.bytes / sinceMs, window.tookMs / window.answers / window.bestMs);
  measureAnew(window, nowMs);
}

/** The node says that it is asked too much, or does not answer in time. */
export function noteOverload(window: Window, nowMs: number): void {
  if (nowMs < window.deafUntilMs) return;
  window.deafUntilMs = nowMs + DEAF_MS;
  window.size = Math.max(1, Math.floor(window.size / 2));
  window.isStarting = false;
  window.trial = undefined;
  window.rest = REST;
  window.toSkip = window.inFlight;
  measureAnew(window, nowMs);
}

function decide(window: Window, rate: number, slowness: number): void {
  const { trial } = window;
  window.trial = undefined;
  if (trial !== undefined && !isKept(window, trial, rate, slowness)) {
    window.isStarting = false;
    window.shrinksNext = window.size > trial.fromSize;
    window.rest = REST;
    moveTo(window, trial.fromSize);
  } else if (window.rest > 0 && slowness >= IDLE) {
    window.rest--;
  } else {
    tryOther(window, rate, slowness);
  }
}

function isKept(
  { size }: Window,
  { fromSize, fromRate }: NonNullable<Window['trial']>,
  rate: number,
  slowness: number,
): boolean {
  if (size < fromSize) return rate >= fromRate * HARMLESS;
  return slowness < IDLE || rate >= fromRate * WORTHWHILE;
}

function tryOther(window: Window, rate: number, slowness: number): void {
  const { size, most } = window;
  if (size === most || slowness > WAITING) window.isStarting = false;
  const step = window.isStarting ? size : Math.max(1, Math.floor(size / 4));
  const shrinks = slowness > WAITING && (window.shrinksNext || size === most) && size > FIRST_WINDOW;
  const next = shrinks ? Math.max(FIRST_WINDOW, size - step) : Math.min(most, size + step);
  if (next === size) return;
  window.trial = { fromSize: size, fromRate: rate };
  moveTo(window, next);
}

function moveTo(window: Window, size: number): void {
  window.size = size;
  window.toSkip = window.inFlight;
}

function measureAnew(window: Window, nowMs: number): void {
  window.since = nowMs;
  window.answers = 0;
  window.bytes = 0;
  window.tookMs = 0;
  window.wasFull = isFull(window);
}
