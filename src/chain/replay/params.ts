import { goSyntaxError, invalidParams } from './answers.ts';

/** Parameters as CometBFT reads them: `int` and `bytes` are spelled differently in a URL and in a JSON body. */
export type ParamKind = 'int' | 'hexBytes' | 'base64Bytes' | 'string' | 'bool';

export interface ParamSpec {
  readonly name: string;
  readonly kind: ParamKind;
}

/** Parameters that were given; one that is missing or null is absent. */
export interface Params {
  int(name: string): number | undefined;
  bytes(name: string): Buffer;
  text(name: string): string;
}

type Value = number | string | boolean | Buffer;

/** Errors: RpcFault with the node's texts. */
export function paramsOfUrl(query: URLSearchParams, specs: readonly ParamSpec[]): Params {
  const values = new Map<string, Value>();
  for (const { name, kind } of specs) {
    const raw = query.get(name);
    if (raw !== null && raw !== '') values.set(name, readUrlParam(raw, kind));
  }
  return accessors(values);
}

/** `given` is the request's `params`: an object by name or a list by position. Errors: RpcFault. */
export function paramsOfBody(given: unknown, specs: readonly ParamSpec[]): Params {
  const values = new Map<string, Value>();
  if (given === undefined || given === null) return accessors(values);
  if (Array.isArray(given) && given.length !== specs.length) {
    const names = specs.map((spec) => spec.name).join(' ');
    throw wrongBody(
      `expected ${specs.length} parameters ([${names}]), got ${given.length} ([${given.join(' ')}])`,
    );
  }
  if (typeof given !== 'object') throw wrongBody('unknown type for JSON params: expected map or array');
  specs.forEach(({ name, kind }, i) => {
    const value: unknown = Array.isArray(given) ? given[i] : (given as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) values.set(name, readBodyParam(value, kind));
  });
  return accessors(values);
}

function accessors(values: ReadonlyMap<string, Value>): Params {
  return {
    int: (name) => values.get(name) as number | undefined,
    bytes: (name) => (values.get(name) ?? Buffer.alloc(0)) as Buffer,
    text: (name) => (values.get(name) ?? '') as string,
  };
}

function readUrlParam(raw: string, kind: ParamKind): Value {
  const quoted = /^"(.*)"$/s.exec(raw)?.[1];
  if (kind === 'int') {
    if (quoted === undefined && !/^-?\d+$/.test(raw)) {
      throw wrongUrl(`invalid 64-bit integer encoding "${raw}", expected string`);
    }
    return readInt(quoted ?? raw, wrongUrl);
  }
  if (kind === 'bool') return raw === 'true';
  const hex = /^0[xX]([0-9a-fA-F]*)$/.exec(raw)?.[1];
  if (hex !== undefined)
    return kind === 'string' ? Buffer.from(hex, 'hex').toString('utf8') : Buffer.from(hex, 'hex');
  if (quoted === undefined) throw wrongUrl(goSyntaxError(raw));
  return kind === 'string' ? quoted : Buffer.from(quoted, 'utf8');
}

function readBodyParam(value: unknown, kind: ParamKind): Value {
  if (kind === 'bool') return value === true;
  if (typeof value !== 'string') {
    if (kind === 'int')
      throw wrongBody(`invalid 64-bit integer encoding "${JSON.stringify(value)}", expected string`);
    throw wrongBody(`json: cannot unmarshal ${goKind(value)} into Go value of type string`);
  }
  // Go unquotes without unescaping, so an escaped quote shows as a backslash
  if (kind === 'int') return readInt(JSON.stringify(value).slice(1, -1), wrongBody);
  if (kind === 'hexBytes') return Buffer.from(value, 'hex');
  return kind === 'base64Bytes' ? Buffer.from(value, 'base64') : value;
}

/** The text of a 64-bit integer, which Go reads as JSON once more. */
function readInt(text: string, fail: (reason: string) => Error): number {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw fail(goSyntaxError(text));
  }
  if (typeof parsed !== 'number')
    throw fail(`json: cannot unmarshal ${goKind(parsed)} into Go value of type int64`);
  if (!/^-?\d{1,19}$/.test(text) || BigInt(text) !== BigInt.asIntN(64, BigInt(text))) {
    throw fail(`json: cannot unmarshal number ${text} into Go value of type int64`);
  }
  return parsed;
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

const wrongUrl = (reason: string): Error =>
  invalidParams(`error converting http params to arguments: ${reason}`);
const wrongBody = (reason: string): Error =>
  invalidParams(`error converting json params to arguments: ${reason}`);
