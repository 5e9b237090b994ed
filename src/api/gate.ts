import { errorAnswer, unavailableAnswer } from './answer.ts';
import type { Api } from './api.ts';

/** An Api that can be listened with before there is an index: 503 `not ready` until it is opened. */
export interface Gate {
  readonly api: Api;
  open(api: Api): void;
}

export const NOT_READY = 'not ready';

export function createGate(): Gate {
  let behind: Api = {
    handle: (method) =>
      method === 'GET'
        ? unavailableAnswer(NOT_READY)
        : errorAnswer('method_not_allowed', 'only GET is served'),
    refuse: (problem) =>
      problem === undefined ? unavailableAnswer(NOT_READY) : errorAnswer('bad_request', problem),
  };
  return {
    api: {
      handle: (method, target, acceptEncoding, ifNoneMatch) =>
        behind.handle(method, target, acceptEncoding, ifNoneMatch),
      refuse: (problem) => behind.refuse(problem),
    },
    open: (api) => {
      behind = api;
    },
  };
}
