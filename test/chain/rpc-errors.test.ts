import { describe, expect, it } from 'vitest';
import { batchLimitOf, classifyHttpAnswer } from '../../src/chain/rpc/errors.ts';
import { recordedAnswers } from './fixture.ts';

/** What each recorded answer means: undefined where it holds a result. */
function meaning(status: number, body: string): string | undefined {
  const error = classifyHttpAnswer(status, body);
  return error === undefined ? undefined : `${error.code}${error.retryable ? ', retryable' : ''}`;
}

/** By label, whatever the spelling of the request. */
const EXPECTED: readonly (readonly [pattern: RegExp, meaning: string | undefined])[] = [
  [/^(block|block_results) above the head|head\+1|^validators above the head/, 'node_lagging, retryable'],
  // the node calls it an internal error, so another answer is thought possible
  [/height (0|-1)/, 'node_rpc_error, retryable'],
  [/height "5" \(POST\)/, 'node_rpc_error'],
  [/height "5"$/, undefined],
  [/height (abc|1\.5|99999999999999999999)|a number for the height|broken hash/, 'node_rpc_error'],
  [/^unknown (method|path)|^batch of 11|^malformed|^empty body|^over-long/, 'node_rpc_error'],
  [/^empty batch/, 'node_bad_answer, retryable'],
  [/^tx with unknown|upside down|beyond the last/, 'node_rpc_error, retryable'],
  [/already in the chain/, 'node_rpc_error, retryable'],
  [
    /^no height|^unknown parameter|^positional|^batch (of 10|with)|^broadcast|^abci_query|^health|^blockchain range$/,
    undefined,
  ],
];

describe('the answers of a real node', () => {
  const answers = recordedAnswers().filter((answer) => answer.body !== undefined);

  it.each(answers.map((answer) => [answer.label, answer] as const))('%s', (label, answer) => {
    const expected = EXPECTED.find(([pattern]) => pattern.test(label));
    expect(expected, 'the label is in the table').toBeDefined();
    expect(meaning(answer.status as number, answer.body as string)).toBe(expected?.[1]);
  });

  it('are 52 of the 54 recorded ones; REST and websocket are others', () => {
    expect(answers).toHaveLength(52);
  });
});

describe('classifyHttpAnswer', () => {
  const rpcError = (data: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: -1, error: { code: -32603, message: 'Internal error', data } });

  it('reads the lowest height of a node that pruned', () => {
    expect(
      classifyHttpAnswer(500, rpcError('height 5 is not available, lowest height is 1200')),
    ).toMatchObject({
      code: 'height_pruned',
      lowestHeight: 1200,
      retryable: false,
    });
  });

  it('quotes the beginning of a long text, and says so', () => {
    const { message } = classifyHttpAnswer(500, rpcError(`height 5 is ${'x'.repeat(60_000)}`)) ?? {};
    expect(message).toMatch(
      /^the node answers: Internal error: height 5 is x+… \(cut, 60028 characters in all\)/,
    );
    expect(message?.length).toBeLessThan(600);
  });

  it('knows results that lag the block', () => {
    expect(classifyHttpAnswer(200, rpcError('could not find results for height #77'))).toMatchObject({
      code: 'results_not_ready',
      retryable: true,
    });
  });

  it.each([
    [429, 'slow down', true],
    [502, '<html>Bad Gateway</html>', true],
    [503, '', true],
    [404, '404 page not found\n', false],
    [401, 'no key', false],
    [301, '', false],
  ])('tells by HTTP %i whether asking again may help', (status, body, retryable) => {
    expect(classifyHttpAnswer(status, body)).toMatchObject({ code: 'node_rpc_error', retryable });
  });

  it('reads the batch limit that a node names', () => {
    expect(batchLimitOf('batch request exceeds maximum (4) allowed number of requests')).toBe(4);
    expect(batchLimitOf('height 4 must be greater')).toBeUndefined();
  });
});
