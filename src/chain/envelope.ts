import { bytesToLatin1 } from '../core/bytes.ts';
import { StrataError } from '../core/errors.ts';
import { splitCaptureSafely, splitRpcSafely } from './envelope-safe.ts';
import { isJson } from './json-spans.ts';
import type { RawBody, RawRange } from './source.ts';

/**
 * Cuts the bytes of a range into blocks. It runs in decode workers: a body becomes latin1 text once and is cut
 * with indexOf on the layout that nodes print (Go's encoder leaves no blanks); a bare `"` cannot stand inside a
 * JSON string, so marks that hold one are safe. Any deviation is cut by envelope-safe.ts instead.
 */

/** One block as latin1 text; the same shape as decode's RawBlock. */
export interface BlockText {
  readonly height: number;
  /** The `result` object of /block. */
  readonly block: string;
  /** The `result` object of /block_results. */
  readonly results: string;
}

/**
 * The blocks of a range in height order.
 * Errors, with height and retryable: results_not_ready, node_lagging, height_pruned (with lowestHeight) and
 * node_rpc_error for a node's error objects; node_bad_answer for an answer that is cut short, lacks a height or
 * holds another one; capture_invalid for a capture's.
 */
export function splitRange(range: RawRange): BlockText[] {
  const blocks: BlockText[] = [];
  for (const body of range.bodies) {
    const text = bytesToLatin1(body.bytes);
    for (const block of body.layout === 'rpc' ? splitRpc(text, body) : splitCapture(text, body))
      blocks.push(block);
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

function splitRpc(text: string, body: RawBody): readonly BlockText[] {
  return splitRpcFast(text, body) ?? splitRpcSafely(text, body);
}

function splitCapture(text: string, body: RawBody): readonly BlockText[] {
  return splitCaptureFast(text, body) ?? splitCaptureSafely(text, body);
}

const BATCH_START = '[{"jsonrpc":"2.0","id":0,"result":';
const BATCH_END = '}]';

/** Undefined when the body is not a batch in request order, compact, and without an error. */
export function splitRpcFast(text: string, body: RawBody): readonly BlockText[] | undefined {
  if (!text.startsWith(BATCH_START) || !text.endsWith(BATCH_END)) return undefined;
  const blocks: BlockText[] = [];
  let at = BATCH_START.length;
  for (let height = body.fromHeight, id = 0; height <= body.toHeight; height++, id += 2) {
    const toResults = `},{"jsonrpc":"2.0","id":${id + 1},"result":`;
    const blockEnd = text.indexOf(toResults, at);
    if (blockEnd < 0) return undefined;
    const resultsStart = blockEnd + toResults.length;
    const toNext = `},{"jsonrpc":"2.0","id":${id + 2},"result":`;
    const isLast = height === body.toHeight;
    const resultsEnd = isLast ? text.length - BATCH_END.length : text.indexOf(toNext, resultsStart);
    if (resultsEnd < resultsStart) return undefined;
    const block = { height, block: text.slice(at, blockEnd), results: text.slice(resultsStart, resultsEnd) };
    if (!hasNodeLayout(block) || (isLast && !isWhole(block.results))) return undefined;
    blocks.push(block);
    at = resultsEnd + toNext.length;
  }
  return blocks;
}

/** Undefined when a line is not laid out as recorders write it. */
export function splitCaptureFast(text: string, body: RawBody): readonly BlockText[] | undefined {
  const blocks: BlockText[] = [];
  let at = 0;
  for (let height = body.fromHeight; height <= body.toHeight; height++) {
    const prefix = `{"height":${height},"block":`;
    if (!text.startsWith(prefix, at)) return undefined;
    const newline = text.indexOf('\n', at);
    const lineEnd = newline < 0 ? text.length : newline;
    const between = text.indexOf(',"block_results":', at);
    if (between < 0 || between > lineEnd || text[lineEnd - 1] !== '}') return undefined;
    const resultsStart = between + ',"block_results":'.length;
    const block = {
      height,
      block: text.slice(at + prefix.length, between),
      results: text.slice(resultsStart, lineEnd - 1),
    };
    if (!hasNodeLayout(block) || (newline < 0 && !isWhole(block.results))) return undefined;
    blocks.push(block);
    at = lineEnd + 1;
  }
  return at >= text.length ? blocks : undefined;
}

/** The beginning and end of both texts are a node's, and both name the height. */
function hasNodeLayout({ height, block, results }: BlockText): boolean {
  if (!block.startsWith('{"block_id":{') || !block.endsWith('}}}')) return false;
  const inHeader = block.indexOf('"height":"');
  if (!block.startsWith(`${height}"`, inHeader + 10)) return false;
  return results.startsWith(`{"height":"${height}",`) && results.endsWith('}');
}

/** Of a body's last value only the outer brackets are known to be right: the cut may lie before them. */
function isWhole(results: string): boolean {
  return /,"app_hash":"[0-9A-Za-z+/=]*"\}$/.test(results.slice(-128)) || isJson(results);
}
