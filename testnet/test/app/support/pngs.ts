import { crc32, deflateSync } from 'node:zlib';
import { encode } from 'fast-png';

/** Images for tests: real ones by an encoder, broken ones chunk by chunk. */

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

/** A real RGBA image of one colour. */
export function realPng(width: number, height: number): Buffer {
  const data = new Uint8Array(width * height * 4).fill(0x7f);
  return Buffer.from(encode({ width, height, data, channels: 4, depth: 8 }));
}

export function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), framed.length - 4);
  return framed;
}

export interface HeaderOf {
  readonly width: number;
  readonly height: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly interlace?: number;
}

export function header({ width, height, depth = 8, colour = 0, interlace = 0 }: HeaderOf): Buffer {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set([depth, colour, 0, 0, interlace], 8);
  return chunk('IHDR', data);
}

/** Grey pixels of the header's size unless told otherwise; `extra` stands before them. */
export function builtPng(
  size: HeaderOf,
  {
    pixels,
    extra = [],
    tail = Buffer.alloc(0),
  }: { pixels?: Uint8Array; extra?: Buffer[]; tail?: Uint8Array } = {},
): Buffer {
  const rows = pixels ?? new Uint8Array(size.height * (size.width + 1));
  return Buffer.concat([
    SIGNATURE,
    header(size),
    ...extra,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
    tail,
  ]);
}
