import { signal } from '@preact/signals';

/** Light and dark follow the system until somebody chooses. */
export type Theme = 'system' | 'light' | 'dark';

const KEY = 'strata.theme';
const ORDER: readonly Theme[] = ['system', 'light', 'dark'];

export const theme = signal<Theme>('system');

export function applyTheme(): void {
  const kept = localStorage.getItem(KEY);
  theme.value = ORDER.find((each) => each === kept) ?? 'system';
  show();
}

export function nextTheme(): void {
  theme.value = ORDER[(ORDER.indexOf(theme.value) + 1) % ORDER.length] ?? 'system';
  localStorage.setItem(KEY, theme.value);
  show();
}

function show(): void {
  if (theme.value === 'system') document.documentElement.removeAttribute('data-theme');
  else document.documentElement.setAttribute('data-theme', theme.value);
}
