import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { endOfValue, findMember, walkArray } from '../../src/chain/json-spans.ts';
import { bytesToLatin1 } from '../../src/core/bytes.ts';
import { RECORDING_FOLDER } from './recording.ts';

/**
 * A long chain made of the recording over and over: heights go on counting and the first block of each copy names
 * the last of the copy before as its parent, so that the parent check stays on. Everything but heights is prebuilt.
 */
export interface StretchedChain {
  /** Appends the `result` of /block or /block_results. */
  push(method: 'block' | 'block_results', height: number, out: Buffer[]): void;
}

/** The txs of each block: the recorded ones, or so many of the recording's smaller half. */
export type Variant = 'recorded' | number;

/** Of so many blocks a chain of other txs repeats: 200 txs take 500 kB a block. */
const VARIANT_PERIOD = 100;

/** A text in pieces, between which heights stand. */
type Template = readonly (Buffer | 'height' | 'parent')[];

export async function openStretchedChain(variant: Variant): Promise<StretchedChain> {
  const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
  const { latestHeight } = await source.head();
  const recorded = splitRange(await source.fetch(1, latestHeight)).map((block) => ({
    ...block,
    results: bytesToLatin1(block.results),
  }));
  const blocks = variant === 'recorded' ? recorded : withTxs(recorded, variant);
  const period = blocks.length;
  const first = blocks[0]?.block ?? '';
  const lastHash = /"hash":"([0-9A-F]{64})"/.exec(blocks[period - 1]?.block ?? '')?.[1] ?? '';
  const joint = template(
    first.replace('"last_block_id":{"hash":""', `"last_block_id":{"hash":"${lastHash}"`),
    1,
  );
  const blockTemplates = blocks.map(({ block, height }) => template(block, height));
  const resultTemplates = blocks.map(({ results, height }) => template(results, height));
  return {
    push(method, height, out) {
      const at = (height - 1) % period;
      if (method === 'block_results') fill(resultTemplates[at] ?? [], height, out);
      else fill(at === 0 && height > 1 ? joint : (blockTemplates[at] ?? []), height, out);
    },
  };
}

/** Latin1. */
interface Texts {
  readonly height: number;
  readonly block: string;
  readonly results: string;
}

/** The first blocks of the recording, each with `count` of the recorded txs and their results, taken in turn. */
function withTxs(recorded: readonly Texts[], count: number): Texts[] {
  const txs = recorded
    .flatMap(({ block, results }) => {
      const txResults = elements(results, member(results, 0, 'txs_results'));
      return elements(block, txsOf(block)).map((tx, i) => ({ tx, result: txResults[i] ?? '' }));
    })
    .sort((a, b) => a.tx.length + a.result.length - b.tx.length - b.result.length);
  const small = txs.slice(0, txs.length >> 1);
  let next = 0;
  return recorded.slice(0, VARIANT_PERIOD).map(({ height, block, results }) => {
    const taken = Array.from({ length: count }, () => small[next++ % small.length] ?? { tx: '', result: '' });
    return {
      height,
      block: replaceValue(block, txsOf(block), `[${taken.map(({ tx }) => tx).join(',')}]`),
      results: replaceValue(
        results,
        member(results, 0, 'txs_results'),
        `[${taken.map(({ result }) => result).join(',')}]`,
      ),
    };
  });
}

function txsOf(block: string): number {
  return member(block, member(block, member(block, 0, 'block'), 'data'), 'txs');
}

function member(text: string, at: number, key: string): number {
  const found = findMember(text, at, key);
  if (found === undefined) throw new Error(`the recording has no ${key}`);
  return found;
}

/** The texts of an array's elements; none for null. */
function elements(text: string, at: number): string[] {
  const found: string[] = [];
  if (text.startsWith('null', at)) return found;
  walkArray(text, at, (start) => {
    const end = endOfValue(text, start);
    found.push(text.slice(start, end));
    return end;
  });
  return found;
}

function replaceValue(text: string, at: number, value: string): string {
  return text.slice(0, at) + value + text.slice(endOfValue(text, at));
}

function template(text: string, height: number): Template {
  const pieces: (Buffer | 'height' | 'parent')[] = [];
  let rest = text;
  for (;;) {
    const match = new RegExp(`"height":"(${height}|${height - 1})"`).exec(rest);
    if (match === null) break;
    const start = match.index + '"height":"'.length;
    pieces.push(
      Buffer.from(rest.slice(0, start), 'latin1'),
      match[1] === String(height) ? 'height' : 'parent',
    );
    rest = rest.slice(start + (match[1]?.length ?? 0));
  }
  return [...pieces, Buffer.from(rest, 'latin1')];
}

function fill(pieces: Template, height: number, out: Buffer[]): void {
  for (const piece of pieces) {
    if (typeof piece !== 'string') out.push(piece);
    else out.push(Buffer.from(String(piece === 'height' ? height : height - 1), 'latin1'));
  }
}
