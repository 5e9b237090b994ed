import { createWriteStream } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { failure } from './failure.ts';

/** Request bodies: unpacked, bounded, and an insert's data put into a file. */

/** A statement's text, and what of an insert's body is looked at for where its data begins. */
export const MAX_SQL_BYTES = 16 << 20;
/** The engine parses no statement above 256 KiB by default, and an insert's words before its data are far below. */
const MAX_HEAD_BYTES = 256 << 10;
export const MAX_INSERT_BYTES = 4 * 2 ** 30;

/** A body that is read from its front: some of it for the statement, the rest as data. */
export interface Body {
  /** What the engine has to unpack when it reads the saved data. */
  readonly packing: 'none' | 'lz4' | 'zstd';
  /** Up to 256 KiB, or all of a shorter body. Everything read stays in the body. */
  head(): Promise<Buffer>;
  /** All of it. Errors: QUERY_IS_TOO_LARGE. */
  text(): Promise<string>;
  /** Writes what follows `from` to a file; returns its bytes. Errors: QUERY_IS_TOO_LARGE. */
  save(path: string, from: number, prefix?: Buffer): Promise<number>;
}

/**
 * `isData` for a body that is an insert's data alone: the engine then unpacks lz4 and zstd itself.
 *
 * Errors: NOT_IMPLEMENTED for an encoding other than gzip, deflate and br, or those two.
 */
export function openBody(request: IncomingMessage, isData: boolean, maxInsertBytes = MAX_INSERT_BYTES): Body {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  const packing = isData && (encoding === 'lz4' || encoding === 'zstd') ? encoding : 'none';
  const unpacker = packing === 'none' ? unpackerOf(encoding) : undefined;
  let iterator: AsyncIterator<Buffer> | undefined;
  let read: Buffer = Buffer.alloc(0);
  let ended = false;

  // nothing is unpacked before somebody reads it: a body that nobody does may be anything
  function next(): Promise<IteratorResult<Buffer>> {
    if (iterator === undefined) {
      const source = unpacker === undefined ? request : unpackedBy(unpacker(), request);
      iterator = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    }
    return iterator.next().catch(brokenBody);
  }

  async function fill(bytes: number): Promise<void> {
    const chunks: Buffer[] = [read];
    let length = read.length;
    while (!ended && length < bytes) {
      const piece = await next();
      if (piece.done === true) ended = true;
      else {
        chunks.push(piece.value);
        length += piece.value.length;
      }
    }
    read = Buffer.concat(chunks);
  }

  async function* rest(from: number, prefix: Buffer): AsyncGenerator<Buffer> {
    if (prefix.length > 0) yield prefix;
    yield read.subarray(from);
    while (!ended) {
      const piece = await next();
      if (piece.done === true) ended = true;
      else yield piece.value;
    }
  }

  return {
    packing,
    async head() {
      await fill(MAX_HEAD_BYTES);
      return read;
    },
    async text() {
      await fill(MAX_SQL_BYTES + 1);
      if (read.length > MAX_SQL_BYTES) {
        throw failure('QUERY_IS_TOO_LARGE', `A statement has at most ${MAX_SQL_BYTES} bytes`);
      }
      return read.toString('utf8');
    },
    async save(path, from, prefix = Buffer.alloc(0)) {
      let bytes = 0;
      const counter = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          if (bytes <= maxInsertBytes) done(null, chunk);
          else done(failure('QUERY_IS_TOO_LARGE', `An insert has at most ${maxInsertBytes} bytes`));
        },
      });
      await pipeline(
        Readable.from(rest(from, prefix), { objectMode: false }),
        counter,
        createWriteStream(path, { mode: 0o600 }),
      );
      return bytes;
    },
  };
}

function unpackerOf(encoding: string): (() => Transform) | undefined {
  if (encoding === 'identity' || encoding === '') return undefined;
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip;
  if (encoding === 'deflate') return createInflate;
  if (encoding === 'br') return createBrotliDecompress;
  throw failure('NOT_IMPLEMENTED', `Content-Encoding ${encoding} is not supported: use gzip, deflate or br`);
}

function unpackedBy(unpack: Transform, request: IncomingMessage): Transform {
  const abandon = () => {
    if (!request.complete) unpack.destroy(new Error('the client went away'));
  };
  // whoever reads is told by the iterator; when reading was given up, an error must not end the process
  unpack.on('error', () => undefined);
  request.once('error', (error) => unpack.destroy(error));
  request.once('close', abandon);
  if (request.destroyed) abandon();
  return request.pipe(unpack);
}

function brokenBody(error: unknown): never {
  throw failure(
    'NETWORK_ERROR',
    `The request's body cannot be read: ${error instanceof Error ? error.message : error}`,
  );
}
