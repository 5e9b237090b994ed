import { fromErrorRecord, isStrataError, StrataError, toErrorRecord } from '../../core/errors.ts';
import { ownBytes } from '../../core/own-bytes.ts';
import type { HttpAnswer } from '../../http/client.ts';
import { splitRange } from '../envelope.ts';
import type { RawBody } from '../source.ts';
import { checkBatchAnswer, looksLikeError, printRangeCalls } from './calls.ts';
import { batchLimitOf } from './errors.ts';
import { TOO_LARGE } from './http.ts';
import { heightsIn, type NodeState, noteHeavy, noteLight } from './node-state.ts';

export type Post = (node: NodeState, body: string) => Promise<HttpAnswer>;

/**
 * The bodies of a few heights from one node, in as many requests as the node's batch limit and the size of its
 * answers ask for: a body that is too large is asked for again in halves, a slow one at the next attempt.
 * Errors: the coded error of the first or last answer when that is an error, those of the exchange.
 */
export async function askBodies(
  post: Post,
  node: NodeState,
  fromHeight: number,
  toHeight: number,
): Promise<RawBody[]> {
  const bodies: RawBody[] = [];
  for (let from = fromHeight; from <= toHeight; ) {
    const { batchCalls } = node;
    const heights = Math.min(heightsIn(batchCalls), Math.floor(node.heightsPerRequest));
    const to = Math.min(from + heights - 1, toHeight);
    try {
      const body = batchCalls < 2 ? await askSingly(post, node, from) : await askBatch(post, node, from, to);
      checkEnds(body, node);
      bodies.push(body);
      noteLight(node);
      from = to + 1;
    } catch (error) {
      if (isHeavy(error)) noteHeavy(node, to - from + 1);
      if (isTooLarge(error) && to > from) continue;
      const limit = error instanceof StrataError ? batchLimitOf(error.message) : undefined;
      const isTooLong = limit !== undefined && batchCalls >= 2 && limit < 2 * (to - from + 1);
      if (!isTooLong) throw error;
      node.batchCalls = Math.min(node.batchCalls, limit);
    }
  }
  return bodies;
}

function isTooLarge(error: unknown): boolean {
  return isStrataError(error) && error.cause === TOO_LARGE;
}

/** Slowness may have other reasons: the pool decides which node is asked next. */
function isHeavy(error: unknown): boolean {
  return isTooLarge(error) || isStrataError(error, 'node_timeout');
}

async function askBatch(post: Post, node: NodeState, fromHeight: number, toHeight: number): Promise<RawBody> {
  const answer = await post(node, `[${printRangeCalls(fromHeight, toHeight).join(',')}]`);
  checkBatchAnswer(answer, withRetryAfter(node, answer));
  return { layout: 'rpc', fromHeight, toHeight, bytes: answer.bytes };
}

/** A node that takes no batches: two answers, joined as the batch that it would have sent. */
async function askSingly(post: Post, node: NodeState, height: number): Promise<RawBody> {
  const parts: Uint8Array[] = [];
  for (const call of printRangeCalls(height, height)) {
    const answer = await post(node, call);
    if (answer.status !== 200 || answer.bytes.length === 0)
      checkBatchAnswer(answer, withRetryAfter(node, answer));
    parts.push(Buffer.from(parts.length === 0 ? '[' : ','), answer.bytes);
  }
  parts.push(Buffer.from(']'));
  return { layout: 'rpc', fromHeight: height, toHeight: height, bytes: ownBytes(parts) };
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

function withRetryAfter(node: NodeState, { retryAfterMs }: HttpAnswer): { node: string; cause?: unknown } {
  return { node: node.name, ...(retryAfterMs === undefined ? {} : { cause: { retryAfterMs } }) };
}
