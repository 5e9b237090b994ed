import { bytesToLatin1 } from 'strata-kit/bytes';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { type BlockText, splitRange } from './envelope.ts';
import { readInteger } from './envelope-safe.ts';
import { JsonSpanError, type Span, skipBlanks, walkObject } from './json-spans.ts';
import type { RawRange } from './source.ts';

/** A block whose results may not be results; the same shape as decode's DamagedBlock. */
export interface DamagedText extends BlockText {
  /** False: `results` are the bytes in the results' place: a node's error object, or none where the answer ends before. */
  readonly isReadable: boolean;
}

/**
 * The one block of a range whose answer may be broken after the block itself, or refuse its results.
 * Errors: as splitRange; node_bad_answer when not even the block can be found.
 */
export function splitDamaged(range: RawRange): DamagedText {
  try {
    const [block] = splitRange(range);
    if (block !== undefined) return { ...block, isReadable: true };
  } catch (error) {
    if (!isStrataError(error, 'node_bad_answer') && !isStrataError(error, 'node_rpc_error')) throw error;
    return findBlock(range, error);
  }
  throw new StrataError('internal', 'a range of one block holds none');
}

const BLOCK_ID = 0;
const RESULTS_ID = 1;

/** Errors: `found` where that is a refusal of the block itself, else node_bad_answer. */
function findBlock(
  { fromHeight: height, bodies: [body], origin }: RawRange,
  found: StrataError,
): DamagedText {
  const text = body?.layout === 'rpc' ? bytesToLatin1(body.bytes) : '';
  const { byId, end } = readAnswers(text);
  const block = byId.get(BLOCK_ID);
  if (block === undefined || text[block.start] !== '{') {
    if (found.code === 'node_rpc_error') throw found;
    throw new StrataError('node_bad_answer', `the answer holds no block ${height}`, {
      height,
      node: origin,
      retryable: true,
    });
  }
  const results = byId.get(RESULTS_ID) ?? { start: end, end: text.length };
  return {
    height,
    block: text.slice(block.start, block.end),
    results: Buffer.from(text.slice(results.start, results.end), 'latin1'),
    isReadable: false,
  };
}

/** The results of a batch's answers by id, or the error in place of block_results, up to the first that is no JSON, and where that begins. */
function readAnswers(text: string): { readonly byId: ReadonlyMap<number, Span>; readonly end: number } {
  const byId = new Map<number, Span>();
  let end = skipBlanks(text, 0) + 1;
  try {
    for (;;) {
      let id: number | undefined;
      let result: Span | undefined;
      const after = walkObject(text, end, (key, value) => {
        if (key === 'id') id = readInteger(text.slice(value.start, value.end));
        const isRefusal = key === 'error' && id === RESULTS_ID && !text.startsWith('null', value.start);
        if (key === 'result' || isRefusal) result = value;
      });
      if (id !== undefined && result !== undefined) byId.set(id, result);
      const next = skipBlanks(text, after);
      if (text[next] !== ',') return { byId, end: next };
      end = next + 1;
    }
  } catch (error) {
    if (!(error instanceof JsonSpanError)) throw error;
    return { byId, end };
  }
}
