import { asEngineError, messageOf } from '../store/engine-error.ts';

/** A failure as a ClickHouse server tells it over HTTP: status, number, name and text. */
export class EngineFailure extends Error {
  readonly code: number;
  readonly type: string;

  constructor(code: number, type: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EngineFailure';
    this.code = code;
    this.type = type;
  }
}

/** Every failure of the front itself by name, with ClickHouse's number. */
const CODES = {
  BAD_ARGUMENTS: 36,
  NOT_IMPLEMENTED: 48,
  SYNTAX_ERROR: 62,
  TIMEOUT_EXCEEDED: 159,
  QUERY_IS_TOO_LARGE: 161,
  READONLY: 164,
  TOO_MANY_SIMULTANEOUS_QUERIES: 202,
  NETWORK_ERROR: 210,
  ABORTED: 236,
  SESSION_NOT_FOUND: 372,
  SESSION_IS_LOCKED: 373,
  QUERY_WAS_CANCELLED: 394,
  TOO_MANY_ROWS_OR_BYTES: 396,
  ACCESS_DENIED: 497,
  AUTHENTICATION_FAILED: 516,
} as const;

export function failure(type: keyof typeof CODES, message: string): EngineFailure {
  return new EngineFailure(CODES[type], type, message);
}

/** exceptionCodeToHTTPStatus of ClickHouse's HTTPHandler; any other number is 500. */
const STATUSES: Readonly<Record<number, number>> = {
  36: 400,
  6: 400,
  25: 400,
  26: 400,
  27: 400,
  38: 400,
  41: 400,
  53: 400,
  62: 400,
  72: 400,
  117: 400,
  441: 400,
  442: 400,
  467: 400,
  469: 400,
  46: 404,
  47: 404,
  50: 404,
  56: 404,
  60: 404,
  63: 404,
  73: 404,
  81: 404,
  115: 404,
  48: 501,
  159: 408,
  161: 413,
  192: 403,
  193: 403,
  194: 401,
  209: 503,
  381: 411,
  497: 403,
  512: 403,
  516: 403,
};

/** 503 where the request may be sent again as it is: too many at once. */
export function statusOf(error: EngineFailure): number {
  if (error.code === CODES.TOO_MANY_SIMULTANEOUS_QUERIES) return 503;
  return STATUSES[error.code] ?? 500;
}

/** What the engine threw, by its number; anything else is error 1002, as a server has it. */
export function toFailure(error: unknown): EngineFailure {
  if (error instanceof EngineFailure) return error;
  const known = asEngineError(error);
  const text = error instanceof Error ? error.message : String(error);
  const match = /Code: (\d+)\.[\s\S]*?Exception: ([\s\S]*?)(?:\s*\(([A-Z][A-Z0-9_]{2,})\))?\s*$/.exec(text);
  const code = known?.code ?? Number(match?.[1] ?? 1002);
  const type = (known?.type || match?.[3]) ?? (code === 1002 ? 'UNKNOWN_EXCEPTION' : '');
  return new EngineFailure(code, type, match?.[2] ?? messageOf(error), error);
}

/** The body that clients parse for number and name. */
export function failureText(error: EngineFailure, version: string): string {
  const name = error.type === '' ? '' : ` (${error.type})`;
  return `Code: ${error.code}. DB::Exception: ${error.message}${name} (version ${version})\n`;
}
