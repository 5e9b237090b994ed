import type { Caller } from '../simulation/simulations.ts';
import type { Node } from './node.ts';
import type { ParamSpec, Params } from './params.ts';

/** The text of an answer's `result`. */
export type Result = string | Uint8Array;

export interface Method {
  readonly params: readonly ParamSpec[];
  /** Errors: RpcError. */
  readonly answer: (node: Node, params: Params, caller: Caller) => Result | Promise<Result>;
}
