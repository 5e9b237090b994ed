import { vi } from 'vitest';

/** A busy machine is slow; a test has a minute. */
const PATIENCE_MS = 45_000;

/** Resolves once it is so. Errors: when it does not come to be, with what `tell` says of it. */
export async function eventually(
  check: () => Promise<boolean>,
  tell: () => Promise<unknown> = async () => '',
): Promise<void> {
  try {
    await vi.waitUntil(check, { timeout: PATIENCE_MS, interval: 25 });
  } catch (cause) {
    throw new Error(`it did not come to be: ${JSON.stringify(await tell())}`, { cause });
  }
}
