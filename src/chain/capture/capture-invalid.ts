import { StrataError } from 'strata-kit/errors';

export function captureInvalid(folder: string, reason: string, cause?: unknown): StrataError {
  return new StrataError('capture_invalid', `the capture ${folder} is not usable: ${reason}`, { cause });
}
