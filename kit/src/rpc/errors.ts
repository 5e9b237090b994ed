/** What a call is refused with: the `error` member of its answer, as a node of CometBFT 0.38 words it. */
export class RpcError extends Error {
  readonly code: number;
  /** The reason; `message` is the same for every error of a code. */
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.name = 'RpcError';
    this.code = code;
    this.data = data;
  }
}

export const internalError = (data: string): RpcError => new RpcError(-32603, 'Internal error', data);
export const invalidParams = (data: string): RpcError => new RpcError(-32602, 'Invalid params', data);
export const methodNotFound = (): RpcError => new RpcError(-32601, 'Method not found');
export const invalidRequest = (data: string): RpcError => new RpcError(-32600, 'Invalid Request', data);
export const parseError = (data: string): RpcError =>
  new RpcError(-32700, 'Parse error. Invalid JSON', `error unmarshaling request: ${data}`);
/** Too much waits already: the same call may succeed later. */
export const busy = (data: string): RpcError => new RpcError(BUSY, 'Busy', data);
export const BUSY = -32_005;
/** Of a subscription that the server ends. */
export const serverError = (data: string): RpcError => new RpcError(-32000, 'Server error', data);
