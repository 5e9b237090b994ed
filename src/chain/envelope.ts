import { asBuffer } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { splitCaptureSafely, splitRpcSafely } from './envelope-safe.ts';
import { isJson } from './json-spans.ts';
import type { RawBody, RawRange } from './source.ts';

/**
 * Cuts the bytes of a range into blocks. It runs in decode workers: a body is cut with indexOf on the layout that
 * nodes print (Go's encoder leaves no blanks), without becoming text; a bare `"` cannot stand inside a JSON string, so
 * marks that hold one are safe. Any deviation is cut by envelope-safe.ts instead.
 */

/** One block; the same shape as decode's RawBlock. */
export interface BlockText {
  readonly height: number;
  /** The `result` object of /block, latin1. */
  readonly block: string;
  /** The `result` object of /block_results: most of the bytes, which lie in the body's own memory. */
  readonly results: Buffer;
}

/**
 * The blocks of a range in height order.
 * Errors, with height and retryable: results_not_ready, node_lagging, height_pruned (with lowestHeight) and
 * node_rpc_error for a node's error objects; node_bad_answer for an answer that is cut short, lacks a height or
 * holds another one; block_malformed for one that breaks at one of several heights; capture_invalid for a capture's.
 */
export function splitRange(range: RawRange): BlockText[] {
  const blocks: BlockText[] = [];
  for (const body of range.bodies) {
    for (const block of body.layout === 'rpc' ? splitRpc(body) : splitCapture(body)) blocks.push(block);
  }
  const expected = range.toHeight - range.fromHeight + 1;
  if (blocks.length !== expected) {
    throw new StrataError(
      'node_bad_answer',
      `the range holds ${blocks.length} blocks instead of ${expected}`,
      {
        height: range.fromHeight,
        node: range.origin,
        retryable: true,
      },
    );
  }
  return blocks;
}

function splitRpc(body: RawBody): readonly BlockText[] {
  return splitRpcFast(body) ?? splitRpcSafely(body);
}

function splitCapture(body: RawBody): readonly BlockText[] {
  return splitCaptureFast(body) ?? splitCaptureSafely(body);
}

const NEWLINE = 10;
const CLOSE_BRACE = 125;
const RESULTS = ',"block_results":';
const BATCH_START = '[{"jsonrpc":"2.0","id":0,"result":';
const BATCH_END = '}]';

/** Undefined when the body is not a batch in request order, compact, and without an error. */
export function splitRpcFast(body: RawBody): readonly BlockText[] | undefined {
  const bytes = asBuffer(body.bytes);
  const { length } = bytes;
  if (!standsAt(BATCH_START, bytes, 0) || !standsAt(BATCH_END, bytes, length - BATCH_END.length))
    return undefined;
  const blocks: BlockText[] = [];
  let at = BATCH_START.length;
  for (let height = body.fromHeight, id = 0; height <= body.toHeight; height++, id += 2) {
    const toResults = `},{"jsonrpc":"2.0","id":${id + 1},"result":`;
    const blockEnd = bytes.indexOf(toResults, at, 'latin1');
    if (blockEnd < 0) return undefined;
    const resultsStart = blockEnd + toResults.length;
    const toNext = `},{"jsonrpc":"2.0","id":${id + 2},"result":`;
    const isLast = height === body.toHeight;
    const resultsEnd = isLast ? length - BATCH_END.length : bytes.indexOf(toNext, resultsStart, 'latin1');
    if (resultsEnd < resultsStart) return undefined;
    const block = {
      height,
      block: bytes.toString('latin1', at, blockEnd),
      results: bytes.subarray(resultsStart, resultsEnd),
    };
    if (!hasNodeLayout(block) || (isLast && !isWhole(block.results))) return undefined;
    blocks.push(block);
    at = resultsEnd + toNext.length;
  }
  return blocks;
}

/** Undefined when a line is not laid out as recorders write it. */
export function splitCaptureFast(body: RawBody): readonly BlockText[] | undefined {
  const bytes = asBuffer(body.bytes);
  const { length } = bytes;
  const blocks: BlockText[] = [];
  let at = 0;
  for (let height = body.fromHeight; height <= body.toHeight; height++) {
    const prefix = `{"height":${height},"block":`;
    if (!standsAt(prefix, bytes, at)) return undefined;
    const newline = bytes.indexOf(NEWLINE, at);
    const lineEnd = newline < 0 ? length : newline;
    const between = bytes.indexOf(RESULTS, at, 'latin1');
    if (between < 0 || between > lineEnd || bytes[lineEnd - 1] !== CLOSE_BRACE) return undefined;
    const resultsStart = between + RESULTS.length;
    const block = {
      height,
      block: bytes.toString('latin1', at + prefix.length, between),
      results: bytes.subarray(resultsStart, lineEnd - 1),
    };
    if (!hasNodeLayout(block) || (newline < 0 && !isWhole(block.results))) return undefined;
    blocks.push(block);
    at = lineEnd + 1;
  }
  return at >= length ? blocks : undefined;
}

function standsAt(text: string, bytes: Buffer, at: number): boolean {
  return at >= 0 && bytes.toString('latin1', at, at + text.length) === text;
}

/** The beginning and end of both texts are a node's, and both name the height. */
function hasNodeLayout({ height, block, results }: BlockText): boolean {
  if (!block.startsWith('{"block_id":{') || !block.endsWith('}}}')) return false;
  const inHeader = block.indexOf('"height":"');
  if (!block.startsWith(`${height}"`, inHeader + 10)) return false;
  return standsAt(`{"height":"${height}",`, results, 0) && results.at(-1) === CLOSE_BRACE;
}

/** Of a body's last value only the outer brackets are known to be right: the cut may lie before them. */
function isWhole(results: Buffer): boolean {
  const tail = results.toString('latin1', Math.max(0, results.length - 128));
  return /,"app_hash":"[0-9A-Za-z+/=]*"\}$/.test(tail) || isJson(results.toString('latin1'));
}
