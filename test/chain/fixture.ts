import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { RawBody, RawRange } from '../../src/chain/source.ts';

/** The recorded chain, read here without any code under test. */

export const FIXTURE = new URL('../fixtures/evmd/', import.meta.url).pathname;

export interface RecordedHeight {
  readonly height: number;
  readonly line: Buffer;
  readonly block: Buffer;
  readonly results: Buffer;
}

let heights: readonly RecordedHeight[] | undefined;

/** All 501 heights, index 0 is height 1. */
export function recordedHeights(): readonly RecordedHeight[] {
  heights ??= gunzipSync(readFileSync(`${FIXTURE}blocks.jsonl.gz`))
    .toString('latin1')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const match = /^\{"height":(\d+),"block":(\{.*\}),"block_results":(\{.*\})\}$/s.exec(line);
      if (match === null) throw new Error('the fixture is not as expected');
      return {
        height: Number(match[1]),
        line: Buffer.from(line, 'latin1'),
        block: Buffer.from(match[2] as string, 'latin1'),
        results: Buffer.from(match[3] as string, 'latin1'),
      };
    });
  return heights;
}

export function recorded(height: number): RecordedHeight {
  const found = recordedHeights()[height - 1];
  if (found?.height !== height) throw new Error(`height ${height} is not recorded`);
  return found;
}

/** What a node answers to a batch of block and block_results calls, one text an element. */
export function batchElements(fromHeight: number, toHeight: number): string[] {
  const elements: string[] = [];
  for (let height = fromHeight; height <= toHeight; height++) {
    const { block, results } = recorded(height);
    const id = 2 * (height - fromHeight);
    elements.push(`{"jsonrpc":"2.0","id":${id},"result":${block.toString('latin1')}}`);
    elements.push(`{"jsonrpc":"2.0","id":${id + 1},"result":${results.toString('latin1')}}`);
  }
  return elements;
}

export function rpcBody(fromHeight: number, toHeight: number, latin1: string): RawBody {
  return { layout: 'rpc', fromHeight, toHeight, bytes: Buffer.from(latin1, 'latin1') };
}

export function rangeOf(bodies: readonly RawBody[]): RawRange {
  return {
    fromHeight: bodies[0]?.fromHeight ?? 0,
    toHeight: bodies.at(-1)?.toHeight ?? 0,
    bodies,
    byteLength: bodies.reduce((sum, body) => sum + body.bytes.length, 0),
    origin: 'test',
  };
}

/** An answer of the recorded node to a wrong or odd request. */
export interface RecordedAnswer {
  readonly label: string;
  readonly request?: { readonly method: string; readonly path: string; readonly body?: string };
  readonly status?: number;
  readonly content_type?: string | null;
  readonly body?: string;
}

export function recordedAnswers(): readonly RecordedAnswer[] {
  return JSON.parse(readFileSync(`${FIXTURE}rpc-errors.json`, 'utf8')) as RecordedAnswer[];
}

export function recordedAnswer(label: string): RecordedAnswer {
  const found = recordedAnswers().find((answer) => answer.label === label);
  if (found === undefined) throw new Error(`no answer is labelled ${label}`);
  return found;
}
