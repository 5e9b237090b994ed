/**
 * Back shows a page where it was left. The browser's own way comes too early: when it scrolls, the page that is gone back
 * to has not been drawn yet, and is too short. So each entry of the history keeps its place, and gets it back as soon as
 * the page is long enough.
 */
export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  let isRestoring = false;
  let saving: ReturnType<typeof setTimeout> | undefined;

  const save = (): void => {
    clearTimeout(saving);
    saving = undefined;
    if (!isRestoring) history.replaceState({ ...history.state, [KEY]: Math.round(scrollY) }, '');
  };
  const restore = (state: unknown): void => {
    clearTimeout(saving);
    saving = undefined;
    const place = placeOf(state);
    if (place === undefined) return;
    isRestoring = true;
    const untilMs = performance.now() + PATIENCE_MS;
    const step = (): void => {
      if (!isRestoring) return;
      scrollTo(0, place);
      const isThere = Math.abs(scrollY - place) <= 1;
      if (isThere || performance.now() > untilMs) stop();
      else requestAnimationFrame(step);
    };
    // the page that is left is still there, and may be long enough for the other one's place
    requestAnimationFrame(() => requestAnimationFrame(step));
  };
  // whoever moves meanwhile knows better
  const stop = (): void => {
    isRestoring = false;
  };

  addEventListener('scroll', () => {
    saving ??= setTimeout(save, SAVE_MS);
  });
  addEventListener('popstate', ({ state }) => restore(state));
  for (const name of ['wheel', 'touchmove', 'keydown', 'pointerdown']) addEventListener(name, stop, true);
  // what follows may be another entry
  for (const name of ['keydown', 'click']) addEventListener(name, () => saving !== undefined && save(), true);
  restore(history.state);
}

const KEY = 'scrollY';
const SAVE_MS = 100;
const PATIENCE_MS = 3_000;

function placeOf(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !(KEY in state)) return undefined;
  return typeof state[KEY] === 'number' ? state[KEY] : undefined;
}
