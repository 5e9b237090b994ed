const KEY = 'entry';
let last = 0;

/**
 * Names the entry of the browser's history that is shown: who goes back is at the same one again, who follows a link at
 * another. It is kept in the entry itself, so that it outlives the page.
 */
export function historyEntry(): string {
  const state: unknown = history.state;
  if (typeof state === 'object' && state !== null && KEY in state && typeof state[KEY] === 'string')
    return state[KEY];
  last += 1;
  const entry = `${Math.round(performance.timeOrigin)}-${last}`;
  history.replaceState({ ...(typeof state === 'object' ? state : {}), [KEY]: entry }, '');
  return entry;
}
