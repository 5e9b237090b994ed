import { bytesToHex, bytesToUtf8 } from 'strata-kit/bytes';
import { type ErrorFacts, StrataError } from 'strata-kit/errors';
import { excerptOf } from 'strata-kit/excerpt';
import type { HttpAnswer } from 'strata-kit/http/body';
import { endOfValue, findMember, JsonSpanError } from '../json-spans.ts';
import type { AbciAnswer, RawBody } from '../source.ts';
import { classifyHttpAnswer } from './errors.ts';

/** The texts of requests, and the small answers that are read here and now. */

export function printCall(id: number, method: string, params: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** block and block_results of each height, with the ids that RawBody promises. */
export function printRangeCalls(fromHeight: number, toHeight: number): string[] {
  const calls: string[] = [];
  for (let height = fromHeight, id = 0; height <= toHeight; height++, id += 2) {
    calls.push(`{"jsonrpc":"2.0","id":${id},"method":"block","params":{"height":"${height}"}}`);
    calls.push(`{"jsonrpc":"2.0","id":${id + 1},"method":"block_results","params":{"height":"${height}"}}`);
  }
  return calls;
}

/**
 * The `result` text of a single call with this id; a GET has none of its own.
 * Errors: as classifyHttpAnswer, node_bad_answer.
 */
export function readResult(
  answer: HttpAnswer,
  method: string,
  id: number | undefined,
  facts: ErrorFacts,
): string {
  const text = bytesToUtf8(answer.bytes);
  const error = classifyHttpAnswer(answer.status, text, facts);
  if (error !== undefined) throw error;
  try {
    const start = findMember(text, 0, 'result');
    if (start !== undefined && !text.startsWith('null', start)) {
      const result = text.slice(start, endOfValue(text, start));
      // a proxy's answer to an earlier call looks right in everything else
      if (id === undefined || Number(memberText(text, 'id').replaceAll('"', '')) === id) return result;
      throw badAnswer(`${method} is answered under another call's id`, facts);
    }
  } catch (thrown) {
    if (!(thrown instanceof JsonSpanError)) throw thrown;
    throw badAnswer(`${method} is answered with broken JSON: ${thrown.message}`, facts);
  }
  throw badAnswer(`${method} is answered without a result`, facts);
}

function memberText(text: string, key: string): string {
  const start = findMember(text, 0, key);
  return start === undefined ? '' : text.slice(start, endOfValue(text, start));
}

export interface NodeStatus {
  readonly chainId: string;
  readonly appVersion: string;
  readonly earliestHeight: number;
  readonly latestHeight: number;
}

/** Reads the result of `status`; numbers may be bare or quoted. Errors: node_bad_answer. */
export function readStatus(result: string, facts: ErrorFacts): NodeStatus {
  const { node_info: node, sync_info: sync } = parse(result, 'status', facts) as {
    readonly node_info?: {
      readonly network?: unknown;
      readonly protocol_version?: { readonly app?: unknown };
    };
    readonly sync_info?: { readonly latest_block_height?: unknown; readonly earliest_block_height?: unknown };
  };
  const chainId = node?.network;
  const latestHeight = Number(sync?.latest_block_height ?? Number.NaN);
  if (typeof chainId !== 'string' || !Number.isSafeInteger(latestHeight)) {
    throw badAnswer('status is answered without chain id or height', {
      ...facts,
      cause: { isForeign: true },
    });
  }
  return {
    chainId: excerptOf(chainId),
    latestHeight,
    // nodes before 0.34.0 do not tell; a node that has no block yet says 0
    earliestHeight: Math.max(1, Number(sync?.earliest_block_height ?? 1) || 1),
    appVersion: String(node?.protocol_version?.app ?? '0'),
  };
}

/** The version of the node's binary, empty when it does not tell. */
export function readSoftwareVersion(result: string, facts: ErrorFacts): string {
  const { response } = parse(result, 'abci_info', facts) as {
    readonly response?: { readonly version?: unknown };
  };
  return typeof response?.version === 'string' ? excerptOf(response.version) : '';
}

export function abciQueryParams(
  path: string,
  data: Uint8Array,
  height: number,
): Readonly<Record<string, unknown>> {
  return { path, data: bytesToHex(data), height: String(height), prove: false };
}

/** Errors: node_bad_answer. */
export function readAbciAnswer(result: string, facts: ErrorFacts): AbciAnswer {
  const { response } = parse(result, 'abci_query', facts) as {
    readonly response?: {
      readonly code?: unknown;
      readonly log?: unknown;
      readonly height?: unknown;
      readonly value?: unknown;
    };
  };
  if (response === undefined) throw badAnswer('abci_query is answered without a response', facts);
  return {
    code: Number(response.code ?? 0),
    log: excerptOf(String(response.log ?? '')),
    height: Number(response.height ?? 0),
    value: Buffer.from(typeof response.value === 'string' ? response.value : '', 'base64'),
  };
}

const HEAD_CHARS = 64;
const TAIL_CHARS = 1_024;

/** True when the first or last answer of a batch looks like an error, which is where pruning and lag show. */
export function looksLikeError({ bytes }: RawBody): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = text.toString('latin1', 0, HEAD_CHARS);
  return (
    head.includes('"error":') ||
    text.toString('latin1', Math.max(0, text.length - TAIL_CHARS)).includes('"error":{')
  );
}

export function badAnswer(reason: string, facts: ErrorFacts): StrataError {
  return new StrataError('node_bad_answer', reason, { ...facts, retryable: true });
}

function parse(result: string, method: string, facts: ErrorFacts): object {
  let parsed: unknown;
  try {
    parsed = JSON.parse(result);
  } catch (error) {
    throw badAnswer(`${method} is answered with broken JSON`, { ...facts, cause: error });
  }
  if (typeof parsed !== 'object' || parsed === null)
    throw badAnswer(`${method} is answered with no object`, facts);
  return parsed;
}
