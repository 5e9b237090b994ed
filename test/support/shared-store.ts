/**
 * A process has one embedded store open at a time. A world that stays open between test files (worlds.ts) says here how
 * it is closed; whatever opens another store closes it first.
 */

let release: (() => Promise<void>) | undefined;

export function holdSharedStore(close: () => Promise<void>): void {
  release = close;
}

export async function releaseSharedStore(): Promise<void> {
  const close = release;
  release = undefined;
  await close?.();
}
