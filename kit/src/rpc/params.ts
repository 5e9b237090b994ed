import { goSyntaxError } from './go-json.ts';

/** Parameters as CometBFT reads them (rpc/jsonrpc/server): from a URL and from a body by different rules. */

/** `bytes` are hex in a URL and base64 in a body, `hex` is hex in both. */
export type ParamKind = 'int' | 'hex' | 'bytes' | 'string' | 'bool';

export interface ParamSpec {
  readonly name: string;
  readonly kind: ParamKind;
}

type Value = bigint | string | boolean | Uint8Array;

/** What was given; a parameter that is missing, null or empty is absent. */
export interface Params {
  /** A 64-bit integer. */
  int(name: string): bigint | undefined;
  /** Empty when absent. */
  bytes(name: string): Uint8Array;
  text(name: string): string;
  flag(name: string): boolean;
}

/** A parameter that cannot be read; whoever asked for it says of which kind the error is. */
export class ParamError extends Error {}

/** Errors: ParamError. */
export function paramsOfUrl(query: URLSearchParams, specs: readonly ParamSpec[]): Params {
  const values = new Map<string, Value>();
  for (const { name, kind } of specs) {
    const raw = query.get(name) ?? '';
    if (raw !== '') values.set(name, readUrl(raw, kind));
  }
  return accessors(values);
}

/** `given` is a request's `params`: an object by name, or a list by position. Errors: ParamError. */
export function paramsOfBody(given: unknown, specs: readonly ParamSpec[]): Params {
  const values = new Map<string, Value>();
  if (given === undefined || given === null) return accessors(values);
  if (typeof given !== 'object') {
    const reason = `json: cannot unmarshal ${goKind(given)} into Go value of type []json.RawMessage`;
    throw wrongBody(`unknown type for JSON params: ${reason}. Expected map or array`);
  }
  if (Array.isArray(given) && given.length !== specs.length) {
    const names = specs.map(({ name }) => name).join(' ');
    const printed = given.map((value) => `[${[...Buffer.from(JSON.stringify(value))].join(' ')}]`).join(' ');
    throw wrongBody(`expected ${specs.length} parameters ([${names}]), got ${given.length} ([${printed}])`);
  }
  specs.forEach(({ name, kind }, at) => {
    const value: unknown = Array.isArray(given) ? given[at] : (given as Record<string, unknown>)[name];
    if (value !== undefined && value !== null) values.set(name, readBody(value, kind));
  });
  return accessors(values);
}

function accessors(values: ReadonlyMap<string, Value>): Params {
  return {
    int: (name) => values.get(name) as bigint | undefined,
    bytes: (name) => (values.get(name) ?? NOTHING) as Uint8Array,
    text: (name) => (values.get(name) ?? '') as string,
    flag: (name) => values.get(name) === true,
  };
}

const NOTHING = new Uint8Array(0);
const wrongUrl = (reason: string) => new ParamError(`error converting http params to arguments: ${reason}`);
const wrongBody = (reason: string) => new ParamError(`error converting json params to arguments: ${reason}`);

function readUrl(raw: string, kind: ParamKind): Value {
  if (kind === 'int' && /^-?\d+$/.test(raw)) return readInt(raw, wrongUrl);
  if (/^0x/i.test(raw)) {
    if (kind === 'int' || kind === 'bool') {
      throw wrongUrl(`got a hex string arg, but expected '${kind === 'int' ? 'int64' : 'bool'}'`);
    }
    const bytes = readHex(raw.slice(2), wrongUrl);
    return kind === 'string' ? Buffer.from(bytes).toString('utf8') : bytes;
  }
  if (kind === 'int' && !/^".*"$/s.test(raw)) {
    throw wrongUrl(`invalid 64-bit integer encoding "${raw}", expected string`);
  }
  const parsed = parseJson(raw, wrongUrl);
  if (kind === 'int') return readInt(JSON.stringify(parsed).slice(1, -1), wrongUrl);
  if (kind === 'bool') return asType('boolean', parsed, wrongUrl);
  const text = asType('string', parsed, wrongUrl);
  // a quoted text stands for its own bytes, whatever a body would have there
  return kind === 'string' ? text : Buffer.from(text, 'utf8');
}

function readBody(value: unknown, kind: ParamKind): Value {
  if (kind === 'bool') return asType('boolean', value, wrongBody);
  if (kind === 'int') {
    if (typeof value !== 'string') {
      throw wrongBody(`invalid 64-bit integer encoding "${JSON.stringify(value)}", expected string`);
    }
    // quotes are taken off without a look at what is escaped within
    return readInt(JSON.stringify(value).slice(1, -1), wrongBody);
  }
  if (kind === 'hex' && typeof value !== 'string')
    throw wrongBody(`invalid hex string: ${JSON.stringify(value)}`);
  const text = asType('string', value, wrongBody);
  if (kind === 'string') return text;
  return kind === 'hex' ? readHex(text, wrongBody) : readBase64(text);
}

function asType<T extends 'boolean' | 'string'>(
  type: T,
  value: unknown,
  fail: (reason: string) => Error,
): T extends 'boolean' ? boolean : string {
  if (typeof value === type) return value as T extends 'boolean' ? boolean : string;
  const expected = type === 'boolean' ? 'bool' : type;
  throw fail(`json: cannot unmarshal ${goKind(value)} into Go value of type ${expected}`);
}

function parseJson(text: string, fail: (reason: string) => Error): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fail(goSyntaxError(text));
  }
}

/** The text of a 64-bit integer, which Go reads as JSON once more. */
function readInt(text: string, fail: (reason: string) => Error): bigint {
  const parsed = parseJson(text, fail);
  if (typeof parsed !== 'number')
    throw fail(`json: cannot unmarshal ${goKind(parsed)} into Go value of type int64`);
  if (!/^-?\d{1,19}$/.test(text) || BigInt(text) !== BigInt.asIntN(64, BigInt(text))) {
    throw fail(`json: cannot unmarshal number ${text} into Go value of type int64`);
  }
  return BigInt(text);
}

function readHex(text: string, fail: (reason: string) => Error): Uint8Array {
  const wrong = /[^0-9a-fA-F]/u.exec(text)?.[0];
  if (wrong !== undefined) {
    const code = (wrong.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    throw fail(`encoding/hex: invalid byte: U+${code} '${wrong}'`);
  }
  if (text.length % 2 === 1) throw fail('encoding/hex: odd length hex string');
  return Buffer.from(text, 'hex');
}

function readBase64(text: string): Uint8Array {
  const plain = text.replace(/[\r\n]/g, '');
  const wrong = plain.search(/[^A-Za-z0-9+/]/);
  const end = wrong < 0 ? plain.length : wrong;
  if (plain.length % 4 !== 0 || !/^={0,2}$/.test(plain.slice(end))) {
    throw wrongBody(`illegal base64 data at input byte ${end}`);
  }
  return Buffer.from(plain, 'base64');
}

function goKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}
