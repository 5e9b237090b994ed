/** What a tab remembers as long as it is open: sessionStorage, by the part of it that is needed here. */
export interface Kept {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const RELOADED = 'strata-reloaded-for';

/**
 * True once for each build in a tab, and never where the tab cannot remember it: a page that fails again after it was
 * loaded anew must not be loaded again and again.
 */
export function mayReloadFor(build: string, kept: Kept): boolean {
  try {
    if (kept.getItem(RELOADED) === build) return false;
    kept.setItem(RELOADED, build);
    return kept.getItem(RELOADED) === build;
  } catch {
    return false;
  }
}
