import type { HttpAnswer } from 'strata-kit/http/body';
import type { HttpCall } from 'strata-kit/http/client';
import { causeOf } from './answer-cause.ts';
import { printCall, readResult } from './calls.ts';
import { noteByPath } from './dialect.ts';
import type { NodeState } from './node-state.ts';
import { printPath } from './paths.ts';
import { checkSingleAnswer } from './refusals.ts';

/** One request to a node, at its pace. Errors: those of HttpNode.ask, node_rpc_error for a 429. */
export type Send = (node: NodeState, call: HttpCall, signal?: AbortSignal) => Promise<HttpAnswer>;

/**
 * One call to one node, each under an id of its own; the `result` text. Where POST is refused GET is tried, and the other
 * way round. Errors: as readResult, and those of Send.
 */
export type Ask = (
  node: NodeState,
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<string>;

export function createAsk(send: Send, nowMs: () => number): Ask {
  let lastId = 0;

  async function ask(
    node: NodeState,
    method: string,
    params: Readonly<Record<string, unknown>>,
    isByPath: boolean,
    signal?: AbortSignal,
  ): Promise<string> {
    const facts = { node: node.name };
    const id = isByPath ? undefined : ++lastId;
    const call =
      id === undefined ? { path: printPath(method, params) } : { body: printCall(id, method, params) };
    const answer = await send(node, call, signal);
    checkSingleAnswer(answer, isByPath, facts);
    if (!isByPath) node.learning.takesPost = true;
    return readResult(answer, method, id, facts);
  }

  return async (node, method, params, signal) => {
    const isByPath = node.learning.current.transport === 'get';
    try {
      return await ask(node, method, params, isByPath, signal);
    } catch (error) {
      if (causeOf(error).refusal?.kind !== 'certain') throw error;
      const result = await ask(node, method, params, !isByPath, signal).catch(() => {
        // refused in both ways: the first refusal says why
        throw error;
      });
      if (!isByPath) noteByPath(node.learning, nowMs());
      return result;
    }
  };
}
