import { signal } from '@preact/signals';
import type { Theme } from '../shell/theme.ts';

/** The theme of the reference: a sandboxed document reads no choice of the pages, so their link to it carries it. */

const NAME = 'theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>('system');

export function applyTheme(): void {
  const asked = new URLSearchParams(location.search).get(NAME);
  theme.value = ORDER.find((each) => each === asked) ?? 'system';
  show();
}

/** The address has it too, so that a reload keeps it. */
export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? 'system';
  const url = new URL(location.href);
  if (theme.value === 'system') url.searchParams.delete(NAME);
  else url.searchParams.set(NAME, theme.value);
  history.replaceState(history.state, '', url);
  show();
}

function show(): void {
  if (theme.value === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme.value);
}
