import type { Snapshot } from '../../src/api/route.ts';
import type { ChainState } from '../../src/api/state.ts';

/** A state that no store stands behind: looking again finds what `current` gives. */
export function fixedState(current: () => Snapshot): Pick<ChainState, 'current' | 'refresh'> {
  return { current, refresh: () => Promise.resolve() };
}

/** Where cursors only have to open again. */
export const TEST_CURSOR_KEY = (): Uint8Array => new Uint8Array(32);
