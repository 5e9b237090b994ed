import { ownBytes } from 'strata-kit/own-bytes';
import { endOfValue, findMember, JsonSpanError } from '../json-spans.ts';

/** Calls by GET of a path (CometBFT's URI over HTTP), and their answers as a POST would have brought them. */

/** Parameters that are bytes: hex in a JSON body, 0x… in a URL. */
const BYTES = new Set(['data']);

/** `/abci_query?path="/a"&data=0x0a&prove=false` */
export function printPath(method: string, params: Readonly<Record<string, unknown>>): string {
  const query = Object.entries(params)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(printValue(name, value))}`);
  return `/${method}${query.length === 0 ? '' : `?${query.join('&')}`}`;
}

function printValue(name: string, value: unknown): string {
  if (BYTES.has(name)) return `0x${value}`;
  return typeof value !== 'string' || /^-?\d+$/.test(value) ? String(value) : `"${value}"`;
}

const GO_PREFIX = Buffer.from('{"jsonrpc":"2.0","id":-1,"result":');
const CLOSE_BRACE = 0x7d;

/**
 * The answer to a GET under the id that a POST would have had. CometBFT gives each the id -1.
 * Errors: JsonSpanError where it is no JSON-RPC answer.
 */
export function underId(answer: Uint8Array, id: number): Uint8Array[] {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  if (bytes.at(-1) === CLOSE_BRACE && bytes.subarray(0, GO_PREFIX.length).equals(GO_PREFIX)) {
    return [prefix(id, 'result'), bytes.subarray(GO_PREFIX.length)];
  }
  const text = bytes.toString('latin1');
  for (const key of ['result', 'error'] as const) {
    const start = findMember(text, 0, key);
    if (start === undefined || text.startsWith('null', start)) continue;
    const value = bytes.subarray(start, endOfValue(text, start));
    return [prefix(id, key), value, Buffer.from('}')];
  }
  throw new JsonSpanError('neither a result nor an error', 0);
}

function prefix(id: number, key: 'result' | 'error'): Uint8Array {
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"${key}":`);
}

/** A batch's answer out of its elements' pieces, over memory of its own. */
export function joinAnswers(elements: readonly (readonly Uint8Array[])[]): Uint8Array<ArrayBuffer> {
  const parts = elements.flatMap((element, at) => [Buffer.from(at === 0 ? '[' : ','), ...element]);
  return ownBytes([...parts, Buffer.from(']')]);
}
