import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { StrataError } from 'strata-kit/errors';
import { captureInvalid } from './capture-invalid.ts';

/** A file of some kilobytes may unpack to gigabytes: every unpacking of a capture stops at one of these. */
export const MAX_DESCRIPTORS_BYTES = 64 * 2 ** 20;
/** A member is written at 4 MB, or at one block that is larger. */
export const MAX_MEMBER_BYTES = 256 * 2 ** 20;
/** Blocks without an index are held in memory. */
export const MAX_WHOLE_BYTES = 2 ** 30;

/** `what` names the part in the error. Errors: capture_invalid. */
export async function unpackPart(
  folder: string,
  what: string,
  packed: Uint8Array,
  maxBytes: number,
): Promise<Buffer> {
  try {
    return await promisify(gunzip)(packed, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(folder, what, maxBytes);
    }
    throw captureInvalid(folder, `${what} does not unpack`, error);
  }
}

export function tooLarge(folder: string, what: string, maxBytes: number): StrataError {
  return captureInvalid(folder, `${what} unpacks to more than ${maxBytes} bytes`);
}
