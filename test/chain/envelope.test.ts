import fc from 'fast-check';
import { StrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import { type BlockText, splitCaptureFast, splitRange, splitRpcFast } from '../../src/chain/envelope.ts';
import { splitCaptureSafely, splitRpcSafely } from '../../src/chain/envelope-safe.ts';
import type { RawBody } from '../../src/chain/source.ts';
import { batchElements, rangeOf, recorded, rpcBody } from './fixture.ts';

const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1');
const compact = (fromHeight: number, toHeight: number): string =>
  `[${batchElements(fromHeight, toHeight).join(',')}]`;

function isJson(text: string): boolean {
  try {
    return JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}

/** Bytes compare faster as text. */
const readable = (blocks: readonly BlockText[] | undefined) =>
  blocks?.map((block) => ({ ...block, results: latin1(block.results) }));

function captureBody(fromHeight: number, toHeight: number): RawBody {
  const lines: Buffer[] = [];
  for (let height = fromHeight; height <= toHeight; height++)
    lines.push(recorded(height).line, Buffer.from('\n'));
  return { layout: 'capture', fromHeight, toHeight, bytes: Buffer.concat(lines) };
}

function errorOf(text: string, fromHeight = 60, toHeight = 62): StrataError {
  try {
    splitRange(rangeOf([rpcBody(fromHeight, toHeight, text)]));
  } catch (error) {
    if (error instanceof StrataError) return error;
    throw error;
  }
  throw new Error('the body was split without an error');
}

const nodeError = (id: string, data: string, code = -32603, message = 'Internal error'): string =>
  `{"jsonrpc":"2.0",${id}"error":{"code":${code},"message":"${message}","data":"${data}"}}`;

describe('splitRange', () => {
  it('cuts a batch and a capture into the texts that were recorded', () => {
    const bodies = [rpcBody(60, 64, compact(60, 64)), captureBody(65, 67)];
    const blocks = splitRange(rangeOf(bodies));
    expect(blocks.map((block) => block.height)).toEqual([60, 61, 62, 63, 64, 65, 66, 67]);
    for (const { height, block, results } of blocks) {
      expect(block).toBe(latin1(recorded(height).block));
      expect(results.equals(recorded(height).results)).toBe(true);
    }
  });

  it('takes the fast way for the whole recording, with the same blocks as the safe one', () => {
    for (let from = 1; from <= 501; from += 5) {
      const to = Math.min(from + 4, 501);
      const text = compact(from, to);
      const body = rpcBody(from, to, text);
      expect(readable(splitRpcFast(body))).toEqual(readable(splitRpcSafely(body)));
      const capture = captureBody(from, to);
      expect(readable(splitCaptureFast(capture))).toEqual(readable(splitCaptureSafely(capture)));
    }
  });

  it('reads elements in any order, ids as strings, keys in any order, with any blanks', () => {
    const layout = fc.record({
      order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6, maxLength: 6 }),
      quotedIds: fc.boolean(),
      idLast: fc.boolean(),
      blank: fc.constantFrom('', ' ', '\n', '\t \r\n'),
      pretty: fc.boolean(),
      extra: fc.boolean(),
    });
    const heights = [61, 291, 333];
    fc.assert(
      fc.property(
        layout,
        fc.constantFrom(...heights),
        ({ order, quotedIds, idLast, blank, pretty, extra }, from) => {
          const texts = [from, from + 1, from + 2].flatMap((height) => {
            const { block, results } = recorded(height);
            return [block, results].map((bytes) =>
              latin1(
                pretty ? Buffer.from(JSON.stringify(JSON.parse(bytes.toString('utf8')), null, 1)) : bytes,
              ),
            );
          });
          const elements = order.map((id) => {
            const b = blank;
            const idMember = `"id"${b}:${b}${quotedIds ? `"${id}"` : id}`;
            const result = `"result"${b}:${b}${texts[id]}`;
            const head = `"jsonrpc":${b}"2.0"${extra ? `,"note":"} ] \\" {","error":null` : ''}`;
            return `{${b}${[head, ...(idLast ? [result, idMember] : [idMember, result])].join(`${b},${b}`)}${b}}`;
          });
          const text = `${blank}[${blank}${elements.join(`${blank},${blank}`)}${blank}]${blank}`;
          const blocks = splitRange(rangeOf([rpcBody(from, from + 2, text)]));
          expect(blocks.flatMap(({ block, results }) => [block, latin1(results)])).toEqual(texts);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never cuts a body that ends early into blocks', () => {
    const text = compact(60, 62);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: text.length - 1 }),
        fc.constantFrom('', ']', '}]', '"}}]'),
        (cut, tail) => {
          const shortened = text.slice(0, cut) + tail;
          fc.pre(!isJson(shortened));
          let error: unknown;
          try {
            splitRange(rangeOf([rpcBody(60, 62, shortened)]));
          } catch (thrown) {
            error = thrown;
          }
          expect(error).toMatchObject({ code: 'node_bad_answer', retryable: true });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('names the height that has no results yet', () => {
    const elements = batchElements(60, 62);
    elements[5] = nodeError('"id":5,', 'could not find results for height #62');
    expect(errorOf(`[${elements.join(',')}]`)).toMatchObject({
      code: 'results_not_ready',
      height: 62,
      retryable: true,
    });
  });

  it('tells a node that lags from one that has pruned', () => {
    const elements = batchElements(60, 62);
    elements[4] = nodeError(
      '"id":4,',
      'height 62 must be less than or equal to the current blockchain height 61',
    );
    elements[5] = nodeError(
      '"id":5,',
      'height 62 must be less than or equal to the current blockchain height 61',
    );
    expect(errorOf(`[${elements.join(',')}]`)).toMatchObject({
      code: 'node_lagging',
      height: 62,
      retryable: true,
    });

    elements[0] = nodeError('"id":0,', 'height 60 is not available, lowest height is 2000');
    expect(errorOf(`[${elements.join(',')}]`)).toMatchObject({
      code: 'height_pruned',
      height: 60,
      retryable: false,
      lowestHeight: 2000,
    });
  });

  it('reads the one error object that answers a whole batch', () => {
    const overLong = nodeError(
      '',
      'batch request exceeds maximum (10) allowed number of requests',
      -32600,
      'Invalid Request',
    );
    expect(errorOf(overLong)).toMatchObject({ code: 'node_rpc_error', height: 60, retryable: false });
    const throttled = nodeError('"id":null,', 'Too Many Requests, slow down', -32600, 'Invalid Request');
    expect(errorOf(throttled)).toMatchObject({ code: 'node_rpc_error', height: 60, retryable: true });
    const panic = nodeError('"id":2,', 'runtime error: index out of range', -32603);
    const elements = batchElements(60, 62);
    elements[2] = panic;
    expect(errorOf(`[${elements.join(',')}]`)).toMatchObject({
      code: 'node_rpc_error',
      height: 61,
      retryable: true,
    });
  });

  it.each<[string, (elements: string[]) => void, number]>([
    ['a missing element', (elements) => elements.splice(3, 1), 61],
    ['a missing last element', (elements) => elements.pop(), 62],
    ['a null result', (elements) => elements.splice(2, 1, '{"jsonrpc":"2.0","id":2,"result":null}'), 61],
    [
      'a null block',
      (elements) => elements.splice(0, 1, '{"jsonrpc":"2.0","id":0,"result":{"block_id":{},"block":null}}'),
      60,
    ],
    ['an id twice', (elements) => elements.push(elements[0] as string), 60],
    ['no id', (elements) => elements.splice(1, 1, (elements[1] as string).replace('"id":1,', '')), 60],
    [
      'a foreign id',
      (elements) => elements.splice(1, 1, (elements[1] as string).replace('"id":1,', '"id":77,')),
      60,
    ],
    [
      'the block of another height',
      (elements) => elements.splice(2, 1, `{"jsonrpc":"2.0","id":2,"result":${latin1(recorded(99).block)}}`),
      61,
    ],
    [
      'the results of another height',
      (elements) =>
        elements.splice(3, 1, `{"jsonrpc":"2.0","id":3,"result":${latin1(recorded(99).results)}}`),
      61,
    ],
  ])('refuses %s', (_, change, height) => {
    const elements = batchElements(60, 62);
    change(elements);
    expect(errorOf(`[${elements.join(',')}]`)).toMatchObject({
      code: 'node_bad_answer',
      height,
      retryable: true,
    });
  });

  it.each(['', '<html>502 Bad Gateway</html>', 'null', '[]', '{}', '[1]', '"text"'])(
    'refuses the body %j',
    (text) => {
      expect(errorOf(text)).toMatchObject({ code: 'node_bad_answer', retryable: true });
    },
  );

  it('refuses a capture whose line is of another height or is cut', () => {
    const good = captureBody(60, 62);
    const text = latin1(good.bytes);
    for (const broken of [
      text.slice(0, -100),
      text.replace('{"height":61,', '{"height":16,'),
      text.replace('"block_results"', '"b"'),
    ]) {
      const body: RawBody = { ...good, bytes: Buffer.from(broken, 'latin1') };
      expect(() => splitRange(rangeOf([body]))).toThrowError(
        expect.objectContaining({ code: 'capture_invalid' }),
      );
    }
  });
});
