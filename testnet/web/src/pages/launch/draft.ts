import { signal } from '@preact/signals';
import { forgetDraft, keepDraft, readDraft } from './kept-draft.ts';
import { type Draft, EMPTY_DRAFT } from './plan.ts';

/** What was typed so far. It outlives other pages and reloads, and is gone with the tab. */
export const draft = signal<Draft>(readDraft(sessionStorage));
/** The browser did not keep the last change: a reload loses it. */
export const isDraftLost = signal(false);

export function change(changes: Partial<Draft>): void {
  const before = draft.value;
  draft.value = { ...before, ...changes };
  try {
    keepDraft(sessionStorage, draft.value, before);
    isDraftLost.value = false;
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
    isDraftLost.value = true;
  }
}

/** Once it was sent: a reload must not offer it for a second asset. It stays on the screen. */
export function draftSent(): void {
  forgetDraft(sessionStorage);
}

/** Once the chain has refused it: it may be changed and sent again. */
export function draftRefused(): void {
  change({});
}

/** Once it is an asset. */
export function clearDraft(): void {
  forgetDraft(sessionStorage);
  draft.value = EMPTY_DRAFT;
}
