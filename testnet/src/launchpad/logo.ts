import PQueue from 'p-queue';
import { AppError } from '../errors.ts';
import { checkPixels, type Png, readPng } from './png.ts';

export const MAX_LOGO_BYTES = 256 * 1024;
const MAX_SIDE = 1_024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Each unpacks at most 8 MiB; libuv's other threads stay free for files and names. */
const UNPACKED_AT_ONCE = 2;
const MAX_WAITING = 64;

/**
 * The PNG of a logo's base64 (RFC 4648 section 4, with its padding and nothing else: one image has one text, so one hash).
 * Its pixels stay packed. Errors: AppError bad_request.
 */
export function readLogo(base64: string): Png {
  if (base64.length > 4 * Math.ceil(MAX_LOGO_BYTES / 3)) refuse(`is larger than ${MAX_LOGO_BYTES} bytes`);
  const bytes = logoBytes(base64);
  if (!BASE64.test(base64) || bytes.toString('base64') !== base64) refuse('is not base64');
  if (bytes.length > MAX_LOGO_BYTES) refuse(`is larger than ${MAX_LOGO_BYTES} bytes`);
  try {
    return readPng(bytes, MAX_SIDE);
  } catch (error) {
    return refuseRange(error);
  }
}

export function logoBytes(base64: string): Buffer {
  return Buffer.from(base64, 'base64');
}

/** Unpacks the pixels of logos outside of the event loop. Errors: AppError bad_request; unavailable when too many wait. */
export function createLogoCheck(): (base64: string) => Promise<void> {
  const queue = new PQueue({ concurrency: UNPACKED_AT_ONCE });
  return async (base64) => {
    const png = readLogo(base64);
    if (queue.size >= MAX_WAITING) {
      throw new AppError('unavailable', 'too many logos are being checked', { retryAfterSeconds: 1 });
    }
    await queue.add(() => checkPixels(png)).catch(refuseRange);
  };
}

function refuseRange(error: unknown): never {
  if (!(error instanceof RangeError)) throw error;
  return refuse(error.message);
}

function refuse(why: string): never {
  throw new AppError('bad_request', `logo ${why}`);
}
