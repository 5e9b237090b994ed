import { vi } from 'vitest';

/** A busy machine is slow; a test has a minute. */
const PATIENCE_MS = 45_000;

/** Resolves once it is so. Errors: when it does not come to be. */
export async function eventually(check: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(check, { timeout: PATIENCE_MS, interval: 25 });
}
