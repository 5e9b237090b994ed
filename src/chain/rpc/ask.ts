import type { HttpAnswer } from '../../http/client.ts';
import { printCall, readResult } from './calls.ts';
import type { NodeState } from './node-state.ts';

/** One call to one node, each under an id of its own; the `result` text. Errors: as readResult. */
export type Ask = (
  node: NodeState,
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
) => Promise<string>;

export function createAsk(
  post: (node: NodeState, body: string, signal?: AbortSignal) => Promise<HttpAnswer>,
): Ask {
  let lastId = 0;
  return async (node, method, params, signal) => {
    const id = ++lastId;
    return readResult(await post(node, printCall(id, method, params), signal), method, id, {
      node: node.name,
    });
  };
}
