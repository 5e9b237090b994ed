import {
  type HashedHeader,
  type HashedResult,
  HeaderHasher,
  resultsHash,
  txsHash,
} from 'strata-kit/block-hash';
import { bytesToLatin1 } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import { readHashedHeader } from 'strata-kit/hashed-header';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { endOfValue, findMember, walkArray } from '../../src/chain/json-spans.ts';
import { RECORDING_FOLDER } from './recording.ts';

/**
 * A long chain made of the recording over and over. Heights go on counting, each block names the one before it, and its
 * hash is that of its header, txs and results: every check that a chain passes stays on. All else is prebuilt.
 */
export interface StretchedChain {
  /** Appends the `result` of /block or /block_results. */
  push(method: 'block' | 'block_results', height: number, out: Buffer[]): void;
}

/** The txs of each block: the recorded ones, or so many of the recording's smaller half. */
export type Variant = 'recorded' | number;

/** Of so many blocks a chain of other txs repeats: 200 txs take 500 kB a block. */
const VARIANT_PERIOD = 100;

/** A text in pieces, between which stands what differs from copy to copy. */
type Template = readonly (Buffer | 'height' | 'parentHeight' | 'hash' | 'parentHash')[];

export async function openStretchedChain(variant: Variant, length: number): Promise<StretchedChain> {
  const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
  const { latestHeight } = await source.head();
  const recorded = splitRange(await source.fetch(1, latestHeight)).map((block) => ({
    ...block,
    results: bytesToLatin1(block.results),
  }));
  const texts = variant === 'recorded' ? recorded : withTxs(recorded, variant);
  const period = texts.length;
  const blocks = texts.map((block, i) => bindBlock(block, texts[i - 1]));
  const [first] = texts;
  const last = texts[period - 1];
  if (first === undefined || last === undefined) throw new Error('the recording is empty');
  /** The first block of a later copy: as the recorded one, but behind the last. */
  const joint = bindBlock(
    {
      ...first,
      block: first.block.replace('"last_block_id":{"hash":""', `"last_block_id":{"hash":"${NO_HASH}"`),
    },
    last,
  );
  const resultTemplates = texts.map(({ results, height }) => template(results, height, '', ''));
  const blockAt = (height: number): BoundBlock =>
    (height > 1 && (height - 1) % period === 0 ? joint : blocks[(height - 1) % period]) ?? joint;
  const hashes = chainHashes(blockAt, length);
  const hashAt = (height: number): Buffer => hashes.subarray((height - 1) * HASH_CHARS, height * HASH_CHARS);
  return {
    push(method, height, out) {
      const pieces =
        method === 'block_results'
          ? (resultTemplates[(height - 1) % period] ?? [])
          : blockAt(height).template;
      for (const piece of pieces) {
        if (piece === 'hash') out.push(hashAt(height));
        else if (piece === 'parentHash') out.push(hashAt(height - 1));
        else if (typeof piece !== 'string') out.push(piece);
        else out.push(Buffer.from(String(piece === 'height' ? height : height - 1), 'latin1'));
      }
    },
  };
}

const HASH_CHARS = 64;
/** Stands where the recording's first block has no parent. */
const NO_HASH = 'F'.repeat(HASH_CHARS);

interface BlockTexts {
  readonly height: number;
  readonly block: string;
  readonly results: string;
}

interface BoundBlock {
  readonly template: Template;
  /** But for its height and its parent's hash. */
  readonly header: HashedHeader;
}

/** A block whose header names its own txs and the results of the block before it. */
function bindBlock({ block, height }: BlockTexts, before: BlockTexts | undefined): BoundBlock {
  const txs = elements(block, txsOf(block)).map((tx) => sha256(Buffer.from(tx.slice(1, -1), 'base64')));
  let text = replaceHash(block, 'data_hash', hex(txsHash(txs)));
  if (before !== undefined) {
    const results = JSON.parse(before.results) as Results;
    text = replaceHash(text, 'last_results_hash', hex(resultsHash((results.txs_results ?? []).map(hashed))));
    text = replaceHash(
      text,
      'app_hash',
      Buffer.from(results.app_hash, 'base64').toString('hex').toUpperCase(),
    );
  }
  const parsed = JSON.parse(text) as {
    block_id: { hash: string };
    block: { header: Record<string, unknown> };
  };
  const header = readHashedHeader(parsed.block.header);
  if (header === undefined) throw new Error(`the recording's block ${height} has no time`);
  return { header, template: template(text, height, parsed.block_id.hash, header.parentHash) };
}

interface Results {
  readonly app_hash: string;
  readonly txs_results: readonly TxResult[] | null;
}

interface TxResult {
  readonly code?: number;
  readonly data?: string | null;
  readonly gas_wanted?: string;
  readonly gas_used?: string;
}

function hashed({ code = 0, data, gas_wanted = '0', gas_used = '0' }: TxResult): HashedResult {
  return { code, data: data ?? '', gasWanted: BigInt(gas_wanted), gasUsed: BigInt(gas_used) };
}

/** The hex of every block's hash, one after the other. */
function chainHashes(blockAt: (height: number) => BoundBlock, length: number): Buffer {
  const hasher = new HeaderHasher();
  const hashes = Buffer.alloc(length * HASH_CHARS);
  let parentHash = '';
  for (let height = 1; height <= length; height++) {
    parentHash = hex(hasher.hash({ ...blockAt(height).header, height, parentHash }));
    hashes.write(parentHash, (height - 1) * HASH_CHARS, 'latin1');
  }
  return hashes;
}

function hex(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('hex').toUpperCase();
}

function replaceHash(block: string, key: string, value: string): string {
  return replaceValue(
    block,
    member(block, member(block, member(block, 0, 'block'), 'header'), key),
    `"${value}"`,
  );
}

/** The first blocks of the recording, each with `count` of the recorded txs and their results, taken in turn. */
function withTxs(recorded: readonly BlockTexts[], count: number): BlockTexts[] {
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

function template(text: string, height: number, hash: string, parentHash: string): Template {
  const places = [`"height":"(?:${height}|${height - 1})"`, hash, parentHash].filter((place) => place !== '');
  const pieces: Template[number][] = [];
  let done = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(places.join('|'), 'g'))) {
    const isHash = found.length === HASH_CHARS;
    const start = isHash ? index : index + '"height":"'.length;
    const end = isHash ? index + HASH_CHARS : index + found.length - 1;
    pieces.push(Buffer.from(text.slice(done, start), 'latin1'));
    if (isHash) pieces.push(found === hash ? 'hash' : 'parentHash');
    else pieces.push(text.slice(start, end) === String(height) ? 'height' : 'parentHeight');
    done = end;
  }
  return [...pieces, Buffer.from(text.slice(done), 'latin1')];
}
