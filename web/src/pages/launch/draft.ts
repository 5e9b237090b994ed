import { signal } from '@preact/signals';
import { type Draft, EMPTY_DRAFT } from './plan.ts';

/** What was typed so far; kept while other pages are looked at, gone with the window. */
export const draft = signal<Draft>(EMPTY_DRAFT);

export function change(changes: Partial<Draft>): void {
  draft.value = { ...draft.value, ...changes };
}
