import { LRUCache } from 'lru-cache';
import { sha256 } from 'strata-kit/hash';
import type { Capture } from '../capture/reader.ts';
import { splitRange } from '../envelope.ts';
import { endOfValue, findMember, type Span, walkArray } from '../json-spans.ts';

const CHUNK_HEIGHTS = 50;
const CACHE_BYTES = 400_000_000;

/** The `result` texts of one height. */
export interface HeightTexts {
  readonly block: Buffer;
  readonly results: Buffer;
}

export interface TxPlace {
  readonly height: number;
  readonly index: number;
  readonly isSuccess: boolean;
}

/** A capture as the replay serves it: heights up to `head` are revealed, the rest do not exist yet. */
export interface ReplayChain {
  readonly capture: Capture;
  readonly base: number;
  readonly last: number;
  head(): number;
  reveal(height: number): void;
  /** The texts of a height of the capture. */
  texts(height: number): Promise<HeightTexts>;
  /** The successful tx of that hash (upper-case hex), else the latest, among the revealed heights. */
  findTx(hash: string): Promise<TxPlace | undefined>;
}

export function createReplayChain(capture: Capture, firstHead: number): ReplayChain {
  const { firstHeight: base, lastHeight: last } = capture.blocks;
  const chunks = new LRUCache<number, readonly HeightTexts[]>({
    maxSize: CACHE_BYTES,
    sizeCalculation: byteLengthOf,
  });
  const reading = new Map<number, Promise<readonly HeightTexts[]>>();
  let head = firstHead;
  const txPlaces = new Map<string, TxPlace[]>();
  let txsReadTo = base - 1;

  async function readChunk(number: number): Promise<readonly HeightTexts[]> {
    const from = base + number * CHUNK_HEIGHTS;
    try {
      const read = await readTexts(capture, from, Math.min(from + CHUNK_HEIGHTS - 1, last));
      chunks.set(number, read);
      return read;
    } finally {
      reading.delete(number);
    }
  }

  function chunk(number: number): readonly HeightTexts[] | Promise<readonly HeightTexts[]> {
    const held = chunks.get(number) ?? reading.get(number);
    if (held !== undefined) return held;
    const read = readChunk(number);
    reading.set(number, read);
    return read;
  }

  async function texts(height: number): Promise<HeightTexts> {
    const offset = height - base;
    const found = (await chunk(Math.floor(offset / CHUNK_HEIGHTS)))[offset % CHUNK_HEIGHTS];
    if (found === undefined) throw new RangeError(`height ${height} is not in the capture`);
    return found;
  }

  async function readTxs(): Promise<void> {
    while (txsReadTo < head) {
      const height = txsReadTo + 1;
      for (const [hash, place] of txsOf(height, await texts(height))) {
        const places = txPlaces.get(hash);
        if (places === undefined) txPlaces.set(hash, [place]);
        else places.push(place);
      }
      txsReadTo = height;
    }
  }

  return {
    capture,
    base,
    last,
    head: () => head,
    reveal: (height) => {
      head = Math.min(height, last);
    },
    texts,
    findTx: async (hash) => {
      await readTxs();
      const places = txPlaces.get(hash) ?? [];
      return places.findLast((place) => place.isSuccess) ?? places.at(-1);
    },
  };
}

function byteLengthOf(chunk: readonly HeightTexts[]): number {
  return chunk.reduce((sum, { block, results }) => sum + block.length + results.length, 0);
}

async function readTexts(
  capture: Capture,
  fromHeight: number,
  toHeight: number,
): Promise<readonly HeightTexts[]> {
  const bytes = await capture.blocks.readLines(fromHeight, toHeight);
  const body = { layout: 'capture', fromHeight, toHeight, bytes } as const;
  const blocks = splitRange({
    fromHeight,
    toHeight,
    bodies: [body],
    byteLength: bytes.length,
    origin: capture.folder,
  });
  return blocks.map(({ block, results }) => ({
    block: Buffer.from(block, 'latin1'),
    results,
  }));
}

function txsOf(height: number, texts: HeightTexts): readonly (readonly [hash: string, place: TxPlace])[] {
  const { block } = JSON.parse(texts.block.toString('utf8')) as {
    block: { data: { txs: readonly string[] | null } };
  };
  const txs = block.data.txs ?? [];
  if (txs.length === 0) return [];
  const results = texts.results.toString('latin1');
  const spans = txResultSpans(results);
  return txs.map((tx, index) => {
    const hash = Buffer.from(sha256(Buffer.from(tx, 'base64')))
      .toString('hex')
      .toUpperCase();
    const span = spans[index];
    const isSuccess =
      span !== undefined && /^\{"code":0[,}]/.test(results.slice(span.start, span.start + 16));
    return [hash, { height, index, isSuccess }] as const;
  });
}

/** Where the elements of txs_results stand in the (latin1) text of a block_results. */
export function txResultSpans(results: string): readonly Span[] {
  const at = findMember(results, 0, 'txs_results');
  if (at === undefined || results[at] !== '[') return [];
  const spans: Span[] = [];
  walkArray(results, at, (start) => {
    const end = endOfValue(results, start);
    spans.push({ start, end });
    return end;
  });
  return spans;
}
