import { AppError } from '../errors.ts';
import { checkPng } from './png.ts';

export const MAX_LOGO_BYTES = 256 * 1024;
const MAX_SIDE = 1_024;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/**
 * The PNG of a logo's base64 (RFC 4648 section 4, with its padding and nothing else: one image has one text, so one hash).
 * Errors: AppError bad_request.
 */
export function checkLogo(base64: string): Buffer {
  const refuse = (why: string): never => {
    throw new AppError('bad_request', `logo ${why}`);
  };
  if (base64.length > 4 * Math.ceil(MAX_LOGO_BYTES / 3)) refuse(`is larger than ${MAX_LOGO_BYTES} bytes`);
  const bytes = Buffer.from(base64, 'base64');
  if (!BASE64.test(base64) || bytes.toString('base64') !== base64) refuse('is not base64');
  if (bytes.length > MAX_LOGO_BYTES) refuse(`is larger than ${MAX_LOGO_BYTES} bytes`);
  try {
    checkPng(bytes, MAX_SIDE);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    refuse(error.message);
  }
  return bytes;
}
