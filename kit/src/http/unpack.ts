import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { HttpFailure } from './failure.ts';

/** Packed bodies (content-encoding). Nothing is unpacked beyond its bound, whatever its own length claims. */

export type PackedBy = 'gzip' | 'deflate' | 'br';

/** What is asked for where packed answers are taken. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

const ZLIB_METHOD = 8;

const UNPACKERS: Readonly<
  Record<PackedBy, (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Buffer>>
> = {
  gzip: promisify(gunzip),
  // some servers send the bare stream without zlib's two bytes before it
  deflate: (bytes, options) =>
    ((bytes[0] ?? 0) & 0x0f) === ZLIB_METHOD
      ? promisify(inflate)(bytes, options)
      : promisify(inflateRaw)(bytes, options),
  br: promisify(brotliDecompress),
};

/** Undefined for a body that is not packed. */
export function codingOf(
  header: string | string[] | undefined,
  unpacks: boolean,
): PackedBy | undefined | 'unknown' {
  const coding = String(header ?? 'identity')
    .trim()
    .toLowerCase();
  if (coding === 'identity' || coding === '') return undefined;
  const known = coding === 'x-gzip' ? 'gzip' : coding;
  return unpacks && (known === 'gzip' || known === 'deflate' || known === 'br') ? known : 'unknown';
}

/** Over memory of its own. Errors: HttpFailure too_large, encoded for broken bytes. */
export async function unpack(
  packed: Uint8Array,
  by: PackedBy,
  maxBytes: number,
  name: string,
): Promise<Uint8Array<ArrayBuffer>> {
  // an empty body stays one, as of an answer 204
  if (packed.length === 0) return new Uint8Array();
  try {
    return new Uint8Array(await UNPACKERS[by](packed, { maxOutputLength: maxBytes }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new HttpFailure('too_large', `${name} answers with more than ${maxBytes} bytes`, error);
    }
    throw new HttpFailure('encoded', `${name} answers with ${by} that cannot be unpacked`, error);
  }
}
