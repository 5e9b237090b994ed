/**
 * An answer's error in go-ethereum's codes: -32700 parse, -32600 request, -32601 method, -32602 params, -32003 and -32005
 * limits, -32000 the rest, 3 revert.
 */
export class EthereumError extends Error {
  readonly code: number;
  /** 0x-hex, of a revert. */
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.name = 'EthereumError';
    this.code = code;
    this.data = data;
  }
}

export const CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
  server: -32_000,
  /** As go-ethereum refuses an answer of too many bytes. */
  tooLarge: -32_003,
  limit: -32_005,
  revert: 3,
} as const;

export function invalidParams(message: string): EthereumError {
  return new EthereumError(CODES.params, message);
}

export function serverError(message: string): EthereumError {
  return new EthereumError(CODES.server, message);
}
