/** JSON-RPC answers as CometBFT's server prints them, and its errors. */

/** What a method refuses with; becomes the `error` member. */
export class RpcFault extends Error {
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.name = 'RpcFault';
    this.code = code;
    this.data = data;
  }
}

export const internalError = (data: string): RpcFault => new RpcFault(-32603, 'Internal error', data);
export const invalidParams = (data: string): RpcFault => new RpcFault(-32602, 'Invalid params', data);
export const methodNotFound = (): RpcFault => new RpcFault(-32601, 'Method not found');
export const invalidRequest = (data: string): RpcFault => new RpcFault(-32600, 'Invalid Request', data);
export const parseError = (data: string): RpcFault => new RpcFault(-32700, 'Parse error. Invalid JSON', data);

/** GET answers carry this id. */
export const GET_ID = '-1';

/** One answer; `id` is its JSON text, undefined leaves it out as the node does when it could not read one. */
export function printResult(id: string, result: Uint8Array): Uint8Array[] {
  return [Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":`), result, CLOSE];
}

const CLOSE = Buffer.from('}');

export function printFault(id: string | undefined, fault: RpcFault): Uint8Array {
  const idMember = id === undefined ? '' : `"id":${id},`;
  const data = fault.data === undefined ? '' : `,"data":${goJson(fault.data)}`;
  const error = `{"code":${fault.code},"message":${goJson(fault.message)}${data}}`;
  return Buffer.from(`{"jsonrpc":"2.0",${idMember}"error":${error}}`);
}

/** JSON as Go's encoder prints it, which escapes three characters more than JavaScript's. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** What Go's decoder says to text that JSON.parse refuses; for broken ends exactly, else by the first character. */
export function goSyntaxError(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || /^[[{"]/.test(trimmed)) return 'unexpected end of JSON input';
  return `invalid character ${goQuoteChar(trimmed[0] as string)} looking for beginning of value`;
}

function goQuoteChar(char: string): string {
  if (char === "'") return `'\\''`;
  if (char === '\\') return `'\\\\'`;
  return `'${char}'`;
}
