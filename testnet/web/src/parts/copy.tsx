import { useEffect, useState } from 'preact/hooks';
import css from './copy.module.css';

const TOLD_MS = 1_500;

/** A small button that puts `text` on the clipboard, and says so. */
export function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  const [told, setTold] = useState<'copied' | 'not copied' | undefined>();
  useEffect(() => {
    if (told === undefined) return;
    const timer = setTimeout(() => setTold(undefined), TOLD_MS);
    return () => clearTimeout(timer);
  }, [told]);
  const copy = (event: Event): void => {
    event.stopPropagation();
    navigator.clipboard.writeText(text).then(
      () => setTold('copied'),
      () => setTold('not copied'),
    );
  };
  return (
    <button type="button" class={css.copy} onClick={copy} aria-label={`Copy ${what}`} title={`Copy ${what}`}>
      <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
        {told === 'copied' ? (
          <path d="M3 8.5l3.2 3.2L13 5" fill="none" stroke="currentColor" stroke-width="1.6" />
        ) : (
          <path
            d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"
            fill="none"
            stroke="currentColor"
            stroke-width="1.3"
            stroke-linejoin="round"
          />
        )}
      </svg>
      <span class="visually-hidden" role="status">
        {told ?? ''}
      </span>
    </button>
  );
}
