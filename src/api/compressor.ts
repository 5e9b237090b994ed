import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from './negotiate.ts';

/** Compresses bodies on libuv's threads, a few at a time. */
export interface Compressor {
  /**
   * The body in a coding; undefined when the bound is reached, when it fails, or when nothing is won by it: the
   * answer then goes out as it is.
   */
  compress(body: Uint8Array, coding: Coding): Promise<Uint8Array | undefined>;
}

/** The embedded engine runs its queries on the same 16 threads. */
export const MAX_COMPRESSIONS = 4;

const GZIP_LEVEL = 4;
const BROTLI_QUALITY = 4;
const CHUNK_BYTES = 64 * 1024;

export function createCompressor(maxRunning = MAX_COMPRESSIONS): Compressor {
  let running = 0;
  return {
    compress(body, coding) {
      if (running >= maxRunning) return Promise.resolve(undefined);
      running += 1;
      return new Promise((resolve) => {
        const done = (error: Error | null, compressed: Buffer): void => {
          running -= 1;
          // never a failed answer: the plain body is at hand
          resolve(error === null && compressed.length < body.length ? compressed : undefined);
        };
        if (coding === 'gzip') gzip(body, { level: GZIP_LEVEL, chunkSize: CHUNK_BYTES }, done);
        else {
          const params = {
            [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
            [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
          };
          brotliCompress(body, { params, chunkSize: CHUNK_BYTES }, done);
        }
      });
    },
  };
}
