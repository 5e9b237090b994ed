import { crc32, inflateSync } from 'node:zlib';
import { decode } from 'fast-png';

export interface PngSize {
  readonly width: number;
  readonly height: number;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** With its length, type and CRC. */
  readonly bytes: Buffer;
}

interface Header extends PngSize {
  readonly bitsPerPixel: number;
  readonly isInterlaced: boolean;
}

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
const DECODED = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];
const ANIMATION = ['acTL', 'fcTL', 'fdAT'];

/**
 * Checks that bytes are one still PNG of at most `maxSide` × `maxSide` pixels, whole and with nothing behind it. The
 * header is read before anything is decoded, and pixels are unpacked only as far as the header's size needs (8 MiB for
 * 1024 × 1024 of 64 bits). Chunks that say nothing of the pixels are kept and never unpacked. Errors: RangeError with what
 * is wrong.
 */
export function checkPng(bytes: Buffer, maxSide: number): PngSize {
  const chunks = chunksOf(bytes);
  const header = headerOf(chunks[0], maxSide);
  const animated = chunks.find(({ type }) => ANIMATION.includes(type));
  if (animated !== undefined) fail('is animated');
  const unknown = chunks.find(({ type }) => /^[A-Z]/.test(type) && !DECODED.includes(type));
  if (unknown !== undefined) fail(`has an unknown critical chunk ${unknown.type}`);
  checkPixels(chunks, header);
  // what the format asks of palettes and the order of chunks is the decoder's to know
  const decoded = chunks.filter(({ type }) => DECODED.includes(type)).map((chunk) => chunk.bytes);
  try {
    decode(Buffer.concat([SIGNATURE, ...decoded]));
  } catch (error) {
    fail(`cannot be decoded: ${error instanceof Error ? error.message : String(error)}`);
  }
  return { width: header.width, height: header.height };
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
    chunks.push({ type, data: bytes.subarray(offset + 8, end - 4), bytes: bytes.subarray(offset, end) });
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
  return { width, height, bitsPerPixel: kind.samples * depth, isInterlaced: interlace === 1 };
}

function checkPixels(chunks: readonly Chunk[], header: Header): void {
  const first = chunks.findIndex(({ type }) => type === 'IDAT');
  const packed = chunks.filter(({ type }) => type === 'IDAT');
  if (chunks.slice(first, first + packed.length).some(({ type }) => type !== 'IDAT')) {
    fail('has other chunks between its pixels');
  }
  if (chunks.filter(({ type }) => type === 'IHDR').length !== 1) fail('has two headers');
  const expected = pixelBytes(header);
  let pixels: Buffer;
  try {
    pixels = inflateSync(Buffer.concat(packed.map(({ data }) => data)), { maxOutputLength: expected });
  } catch {
    fail('has pixels that cannot be unpacked, or more than its size says');
  }
  if (pixels.length !== expected) fail('has fewer pixels than its size says');
}

/** Of the unpacked rows, each with the byte of its filter (PNG, sections 7.2 and 8). */
function pixelBytes({ width, height, bitsPerPixel, isInterlaced }: Header): number {
  const rows = (columns: number, lines: number) =>
    columns === 0 ? 0 : lines * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  if (!isInterlaced) return rows(width, height);
  return PASSES.reduce(
    (sum, [x, y, stepX, stepY]) =>
      sum + rows(Math.max(0, Math.ceil((width - x) / stepX)), Math.max(0, Math.ceil((height - y) / stepY))),
    0,
  );
}

function fail(what: string): never {
  throw new RangeError(what);
}
