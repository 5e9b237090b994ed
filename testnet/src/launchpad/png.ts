import { promisify } from 'node:util';
import { crc32, inflate } from 'node:zlib';

/** A PNG whose chunks are checked, and whose pixels are still packed. */
export interface Png {
  readonly width: number;
  readonly height: number;
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
  /** A zlib stream. */
  readonly packed: Buffer;
}

type Header = Omit<Png, 'packed'> & { readonly colour: number; readonly depth: number };

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

const unpack = promisify(inflate);

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Samples of a pixel by colour type, and the bit depths it may have (PNG, table 11.1). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** Of Adam7's seven passes: first column and row, and steps (PNG, section 8.2). */
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;
const CRITICAL = ['IHDR', 'PLTE', 'IDAT', 'IEND'];
const ANIMATION = ['acTL', 'fcTL', 'fdAT'];
const INDEXED = 3;
/** Bytes of tRNS by colour type; indexed images have one a palette entry (PNG, section 11.3.1.1). */
const TRANSPARENCY_BYTES: Readonly<Record<number, number>> = { 0: 2, 2: 6 };
const LAST_FILTER = 4;

/**
 * Reads bytes that are one still PNG of at most `maxSide` × `maxSide` pixels, whole and with nothing after its end. It
 * unpacks nothing. Errors: RangeError with what is wrong.
 */
export function readPng(bytes: Buffer, maxSide: number): Png {
  const chunks = chunksOf(bytes);
  const header = headerOf(chunks[0], maxSide);
  const animated = chunks.find(({ type }) => ANIMATION.includes(type));
  if (animated !== undefined) fail('is animated');
  const unknown = chunks.find(({ type }) => /^[A-Z]/.test(type) && !CRITICAL.includes(type));
  if (unknown !== undefined) fail(`has an unknown critical chunk ${unknown.type}`);
  if (chunks.filter(({ type }) => type === 'IHDR').length !== 1) fail('has two headers');
  checkColours(chunks, header);
  const { width, height, bitsPerPixel, isInterlaced } = header;
  return { width, height, bitsPerPixel, isInterlaced, packed: packedPixels(chunks) };
}

/**
 * Unpacks the pixels on a thread of libuv's pool, and checks that they fill the size that the header states. The size
 * bounds the memory: 8 MiB for 1024 × 1024 of 64 bits. Chunks that say nothing of the pixels are never unpacked.
 * Errors: RangeError with what is wrong.
 */
export async function checkPixels(png: Png): Promise<void> {
  const passes = passesOf(png);
  const expected = passes.reduce((sum, { rows, rowBytes }) => sum + rows * rowBytes, 0);
  const pixels = await unpack(png.packed, { maxOutputLength: expected }).catch(() =>
    fail('has pixels that cannot be unpacked, or more than its size says'),
  );
  if (pixels.length !== expected) fail('has fewer pixels than its size says');
  let offset = 0;
  for (const { rows, rowBytes } of passes) {
    for (let row = 0; row < rows; row++, offset += rowBytes) {
      if ((pixels[offset] ?? 0) > LAST_FILTER) fail('has a row with an unknown filter');
    }
  }
}

function chunksOf(bytes: Buffer): readonly Chunk[] {
  if (!bytes.subarray(0, 8).equals(SIGNATURE)) fail('has no PNG signature');
  const chunks: Chunk[] = [];
  let offset = 8;
  while (chunks.at(-1)?.type !== 'IEND') {
    if (offset + 12 > bytes.length) fail('ends within a chunk');
    const length = bytes.readUInt32BE(offset);
    const end = offset + 12 + length;
    if (end > bytes.length) fail('ends within a chunk');
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) fail('has a chunk whose type is not four letters');
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) {
      fail(`has a wrong CRC in chunk ${type}`);
    }
    chunks.push({ type, data: bytes.subarray(offset + 8, end - 4) });
    offset = end;
  }
  if (chunks.at(-1)?.data.length !== 0) fail('has data in its last chunk');
  if (offset !== bytes.length) fail('has bytes after its end');
  return chunks;
}

function headerOf(chunk: Chunk | undefined, maxSide: number): Header {
  if (chunk?.type !== 'IHDR' || chunk.data.length !== 13) return fail('does not begin with its header');
  const width = chunk.data.readUInt32BE(0);
  const height = chunk.data.readUInt32BE(4);
  if (width < 1 || height < 1 || width > maxSide || height > maxSide) {
    fail(`is ${width} × ${height} pixels, at most ${maxSide} × ${maxSide} are allowed`);
  }
  const [depth = 0, colour = 0, compression, filter, interlace = 0] = chunk.data.subarray(8);
  const kind = COLOURS[colour];
  if (kind === undefined || !kind.depths.includes(depth)) return fail('has an unknown colour type or depth');
  if (compression !== 0 || filter !== 0 || interlace > 1)
    fail('has an unknown compression, filter or interlace');
  const bitsPerPixel = kind.samples * depth;
  return { width, height, bitsPerPixel, isInterlaced: interlace === 1, colour, depth };
}

/** Palette and transparency, where the colour type has them (PNG, sections 11.2.2 and 11.3.1.1). */
function checkColours(chunks: readonly Chunk[], { colour, depth }: Header): void {
  const pixelsAt = chunks.findIndex(({ type }) => type === 'IDAT');
  const only = (name: string): { at: number; data: Buffer } | undefined => {
    const at = chunks.findIndex(({ type }) => type === name);
    const data = chunks[at]?.data;
    if (data === undefined) return undefined;
    if (chunks.filter(({ type }) => type === name).length > 1) fail(`has two chunks ${name}`);
    if (at > pixelsAt) fail(`has its ${name} after its pixels`);
    return { at, data };
  };
  const palette = only('PLTE');
  const transparency = only('tRNS');
  const entries = (palette?.data.length ?? 0) / 3;
  if (palette === undefined && colour === INDEXED) fail('has no palette');
  if (palette !== undefined) {
    const most = colour === INDEXED ? 2 ** depth : 256;
    // grey images, of types 0 and 4, have none
    const isAllowed = (colour & 2) !== 0;
    if (!isAllowed || !Number.isInteger(entries) || entries < 1 || entries > most) {
      fail('has a palette that its colours cannot have');
    }
  }
  if (transparency === undefined) return;
  const { length } = transparency.data;
  const isRight =
    colour === INDEXED
      ? length >= 1 && length <= entries && transparency.at > (palette?.at ?? 0)
      : length === TRANSPARENCY_BYTES[colour];
  if (!isRight) fail('has a transparency that its colours cannot have');
}

function packedPixels(chunks: readonly Chunk[]): Buffer {
  const first = chunks.findIndex(({ type }) => type === 'IDAT');
  const packed = chunks.filter(({ type }) => type === 'IDAT');
  if (chunks.slice(first, first + packed.length).some(({ type }) => type !== 'IDAT')) {
    fail('has other chunks between its pixels');
  }
  return Buffer.concat(packed.map(({ data }) => data));
}

/** The rows of each pass, each row with the byte of its filter (PNG, sections 7.2 and 8). */
function passesOf({ width, height, bitsPerPixel, isInterlaced }: Png) {
  const pass = (columns: number, rows: number) => ({
    rows: columns === 0 ? 0 : rows,
    rowBytes: 1 + Math.ceil((columns * bitsPerPixel) / 8),
  });
  if (!isInterlaced) return [pass(width, height)];
  return PASSES.map(([x, y, stepX, stepY]) =>
    pass(Math.max(0, Math.ceil((width - x) / stepX)), Math.max(0, Math.ceil((height - y) / stepY))),
  );
}

function fail(what: string): never {
  throw new RangeError(what);
}
