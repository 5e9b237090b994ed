import { fromErrorRecord, isStrataError, StrataError, toErrorRecord } from 'strata-kit/errors';
import type { HttpAnswer } from 'strata-kit/http/body';
import type { HttpCall } from 'strata-kit/http/client';
import { splitRange } from '../envelope.ts';
import { JsonSpanError } from '../json-spans.ts';
import type { FetchOptions, RawBody } from '../source.ts';
import { causeOf } from './answer-cause.ts';
import { badAnswer, looksLikeError, printRangeCalls } from './calls.ts';
import {
  beginSearch,
  endSearch,
  isThrottledForLong,
  noteRefused,
  noteUnderstood,
  type Refusal,
  type Search,
} from './dialect.ts';
import { TOO_LARGE } from './http.ts';
import { heightsIn, type NodeState, noteHeavy, noteLight } from './node-state.ts';
import { joinAnswers, printPath, underId } from './paths.ts';
import { checkBatchAnswer, checkSingleAnswer } from './refusals.ts';

export type SendTo = (node: NodeState, call: HttpCall) => Promise<HttpAnswer>;

/**
 * Asks one node for the bodies of a few heights and hands on each as it comes, in its dialect and in as many requests as its batches and the size of its
 * answers ask for: a refused batch is asked for again in a narrower dialect, a body that is too large in halves, a slow
 * one at the next attempt.
 * Errors: the coded error of the first or last answer when that is an error, those of the exchange.
 */
export async function askBodies(
  send: SendTo,
  node: NodeState,
  fromHeight: number,
  toHeight: number,
  nowMs: () => number,
  take: (body: RawBody) => void,
  { keepsRefusals = false }: FetchOptions = {},
): Promise<void> {
  const { learning } = node;
  const search = beginSearch(learning, nowMs());
  for (let from = fromHeight; from <= toHeight; ) {
    const { asked } = search;
    const heights = Math.min(heightsIn(asked.calls), Math.floor(node.heightsPerRequest));
    const to = Math.min(from + heights - 1, toHeight);
    try {
      const body = await askIn(send, node, search, from, to);
      if (!keepsRefusals) checkEnds(body, node);
      noteUnderstood(learning, search, nowMs());
      take(body);
      noteLight(node);
      from = to + 1;
    } catch (error) {
      if (isHeavy(error)) noteHeavy(node, to - from + 1);
      if (isTooLarge(error) && to > from) continue;
      const refusal = refusalIn(error, node, search, nowMs());
      if (refusal === undefined) endSearch(learning, search, nowMs());
      if (refusal === undefined || noteRefused(learning, search, refusal, nowMs()) === undefined) throw error;
    }
  }
}

function refusalIn(error: unknown, node: NodeState, search: Search, nowMs: number): Refusal | undefined {
  const { refusal, isThrottled = false } = causeOf(error);
  if (isThrottled) return isThrottledForLong(node.learning, nowMs) ? { kind: 'certain' } : undefined;
  // each call of a batch may be refused by itself
  if (isStrataError(error, 'node_rpc_error') && search.asked.calls > 1) return refusal ?? { kind: 'likely' };
  return refusal;
}

/** The answer went beyond what one may hold. */
export function isTooLarge(error: unknown): boolean {
  return isStrataError(error) && error.cause === TOO_LARGE;
}

/** Slowness may have other reasons: the pool decides which node is asked next. */
function isHeavy(error: unknown): boolean {
  return isTooLarge(error) || isStrataError(error, 'node_timeout');
}

function askIn(
  send: SendTo,
  node: NodeState,
  { asked }: Search,
  fromHeight: number,
  toHeight: number,
): Promise<RawBody> {
  if (asked.calls >= 2) return askBatch(send, node, fromHeight, toHeight);
  return asked.transport === 'post' ? askSingly(send, node, fromHeight) : askByPath(send, node, fromHeight);
}

async function askBatch(
  send: SendTo,
  node: NodeState,
  fromHeight: number,
  toHeight: number,
): Promise<RawBody> {
  const calls = printRangeCalls(fromHeight, toHeight);
  const answer = await send(node, { body: `[${calls.join(',')}]` });
  checkBatchAnswer(answer, calls.length, { node: node.name });
  return { layout: 'rpc', fromHeight, toHeight, bytes: answer.bytes };
}

/** A node that takes no batches: two answers, joined as the batch that it would have sent. */
async function askSingly(send: SendTo, node: NodeState, height: number): Promise<RawBody> {
  const answers: Uint8Array[][] = [];
  for (const body of printRangeCalls(height, height)) {
    const answer = await send(node, { body });
    checkSingleAnswer(answer, false, { node: node.name });
    answers.push([answer.bytes]);
  }
  return { layout: 'rpc', fromHeight: height, toHeight: height, bytes: joinAnswers(answers) };
}

async function askByPath(send: SendTo, node: NodeState, height: number): Promise<RawBody> {
  const facts = { node: node.name };
  const answers: Uint8Array[][] = [];
  for (const [id, method] of ['block', 'block_results'].entries()) {
    const answer = await send(node, { path: printPath(method, { height: String(height) }) });
    checkSingleAnswer(answer, true, facts);
    try {
      answers.push(underId(answer.bytes, id));
    } catch (error) {
      if (!(error instanceof JsonSpanError)) throw error;
      throw badAnswer(`${method} is answered with broken JSON: ${error.message}`, facts);
    }
  }
  return { layout: 'rpc', fromHeight: height, toHeight: height, bytes: joinAnswers(answers) };
}

/** Pruning shows in the first answer and lag in the last: read then, so that another node can be asked at once. */
function checkEnds(body: RawBody, node: NodeState): void {
  if (!looksLikeError(body)) return;
  try {
    const { fromHeight, toHeight, bytes } = body;
    splitRange({ fromHeight, toHeight, bodies: [body], byteLength: bytes.length, origin: node.name });
  } catch (error) {
    if (!(error instanceof StrataError)) throw error;
    throw fromErrorRecord({ ...toErrorRecord(error), node: node.name });
  }
}
