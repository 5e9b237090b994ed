import type { ComponentChildren } from 'preact';
import css from './coming.module.css';

/** The room of a text that is not known yet, about as wide as the text that will come. Nobody reads what is within. */
export function Coming({ children }: { readonly children: ComponentChildren }) {
  return (
    <span class={css.coming}>
      <span class="visually-hidden">…</span>
      <span class={css.room} aria-hidden="true">
        {children}
      </span>
    </span>
  );
}
