import { StrataError } from '../errors.ts';

/** What `read` makes of a flag's value. Errors: config_invalid with the flag before the reason. */
export function checked<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StrataError('config_invalid', `${flag}: ${reason}`, { cause });
  }
}
