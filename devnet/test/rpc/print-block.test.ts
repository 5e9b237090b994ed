import { goJson, quote } from 'strata-kit/rpc/go-json';
import { describe, expect, it } from 'vitest';
import { recordedAnswer, recordedHeights } from '../../../test/chain/fixture.ts';
import { printBlock, printBlockResults, printFinalized } from '../../src/rpc/print-block.ts';
import { type BlockJson, blockOfJson, type ResultsJson, recordedBlocks } from './recorded-chain.ts';

const UPDATES =
  '{"block":{"max_bytes":"22020096","max_gas":"40000000"},"evidence":{"max_age_num_blocks":"100000","max_age_duration":"172800000000000","max_bytes":"1048576"},"validator":{"pub_key_types":["ed25519"]},"version":{},"abci":{}}';

/** The recorded chain has a second validator that never signs and changes of power; this one has neither. */
function withoutOthers(text: string): string {
  return text
    .replace(
      ',{"block_id_flag":1,"validator_address":"","timestamp":"0001-01-01T00:00:00Z","signature":null}',
      '',
    )
    .replace(/"validator_updates":\[\{.*?\],"consensus/, '"validator_updates":null,"consensus');
}

describe('printing', () => {
  it('gives the very bytes of the recorded node, at every height', () => {
    const heights = recordedHeights();
    expect(heights.length).toBe(501);
    heights.forEach(({ height, block, results }, at) => {
      const read = recordedBlocks()[at];
      if (read === undefined) throw new Error(`${height} is missing`);
      // not toBe on the whole, whose difference nobody could read
      expectSame(height, printBlock(read), withoutOthers(block.toString('utf8')));
      expectSame(height, printBlockResults(read, UPDATES), withoutOthers(results.toString('utf8')));
    });
  });

  it('gives what a NewBlock event told', () => {
    const { messages } = recordedAnswer(
      "websocket subscribe tm.event='NewBlock': the answer to subscribe, then the first two messages pushed",
    ) as unknown as { messages: readonly string[] };
    const message = withoutOthers(messages[1] as string);
    const { value } = (
      JSON.parse(message) as {
        result: { data: { value: BlockJson & { result_finalize_block: { events: [] } & ResultsJson } } };
      }
    ).result.data;
    const { events, ...finalized } = value.result_finalize_block;
    const read = blockOfJson(value, { ...finalized, txs_results: null, finalize_block_events: events });
    expectSame(
      549,
      printFinalized(read, UPDATES),
      /"result_finalize_block":(\{.*\})\}\},"events"/.exec(message)?.[1],
    );
  });

  it.each([
    ['plain text', '"plain text"'],
    ['a"b\\c/', '"a\\"b\\\\c/"'],
    ['\u0000\u001f\n\r\t\b\f\u007f', '"\\u0000\\u001f\\n\\r\\t\\b\\f\u007f"'],
    ['<a>&\u2028\u2029', '"\\u003ca\\u003e\\u0026\\u2028\\u2029"'],
    ['é 漢 😀', '"é 漢 😀"'],
    ['\ufffd', '"\\ufffd"'],
    ['\ud83d alone \ude00', '"\\ufffd alone \\ufffd"'],
    ['a text of \\ud800', '"a text of \\\\ud800"'],
    ['', '""'],
  ])('quotes %j as Go does', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('prints objects in their order', () => {
    expect(goJson({ b: '<', a: [1, null, true] })).toBe('{"b":"\\u003c","a":[1,null,true]}');
  });
});

function expectSame(height: number, printed: string, recorded: string | undefined): void {
  if (recorded === printed) return;
  const text = recorded ?? '';
  let at = 0;
  while (at < text.length && text[at] === printed[at]) at++;
  const around = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60);
  expect({ height, at, text: around(printed) }).toEqual({ height, at, text: around(text) });
}
