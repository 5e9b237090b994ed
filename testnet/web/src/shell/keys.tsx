import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { Button } from '../parts/button.tsx';
import dialogCss from '../parts/dialog.module.css';
import css from './keys.module.css';
import { PLACES } from './places.ts';

/** How long after `g` a letter still counts. */
const GO_MS = 1_500;

/** `/` searches, `g` and a letter go to a page, `j` and `k` move in the first table, enter opens, `?` shows all this. */
export function Keys() {
  const { route } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let wentAtMs = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isGoing = event.timeStamp - wentAtMs < GO_MS;
      wentAtMs = Number.NEGATIVE_INFINITY;
      const place = isGoing ? PLACES.find(({ key }) => key === event.key) : undefined;
      if (place !== undefined) route(place.href);
      else if (event.key === 'g') wentAtMs = event.timeStamp;
      else if (event.key === '/') document.querySelector<HTMLInputElement>('[data-search]')?.focus();
      else if (event.key === '?') dialog.current?.showModal();
      else if (event.key === 'j' || event.key === 'k') choose(event.key === 'j' ? 1 : -1);
      else if (event.key === 'Enter' && document.activeElement?.matches('tr[data-chosen]') === true) {
        const href = document.activeElement.getAttribute('data-href');
        if (href !== null) route(href);
      } else return;
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [route]);
  return (
    <dialog ref={dialog} class={dialogCss.dialog} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class={css.keys}>
        <Key of="/" what="Search" />
        <Key of="j, k" what="Next and previous row of the first table" />
        <Key of="Enter" what="Open the row" />
        <Key of="↑, ↓" what="Read the layers of the overview" />
        {PLACES.map(({ key, text }) => (
          <Key key={key} of={`g ${key}`} what={text} />
        ))}
        <Key of="?" what="These keys" />
      </dl>
      <Button onClick={() => dialog.current?.close()}>Close</Button>
    </dialog>
  );
}

function Key({ of, what }: { readonly of: string; readonly what: string }) {
  return (
    <div>
      <dt>
        <kbd>{of}</kbd>
      </dt>
      <dd>{what}</dd>
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], dialog[open]') !== null
  );
}

function choose(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tr[data-href]')];
  const at = rows.findIndex((row) => row.hasAttribute('data-chosen'));
  const row = rows[at < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, at + step))];
  if (row === undefined) return;
  rows[at]?.removeAttribute('data-chosen');
  row.setAttribute('data-chosen', '');
  row.tabIndex = -1;
  row.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
}
