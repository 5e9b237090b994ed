import type { ComponentChildren } from 'preact';
import css from './button.module.css';

export function Button({
  children,
  onClick,
  kind = 'plain',
  type = 'button',
  disabled = false,
}: {
  readonly children: ComponentChildren;
  onClick?(): void;
  readonly kind?: 'plain' | 'main';
  readonly type?: 'button' | 'submit';
  readonly disabled?: boolean;
}) {
  return (
    <button
      type={type}
      class={`${css.button} ${kind === 'main' ? css.main : ''}`}
      disabled={disabled}
      onClick={() => onClick?.()}
    >
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  children,
}: {
  readonly href: string;
  readonly children: ComponentChildren;
}) {
  return (
    <a class={css.button} href={href}>
      {children}
    </a>
  );
}

/** A choice of a few, as links, so that the URL holds it. */
export function Choice({
  label,
  options,
}: {
  readonly label: string;
  readonly options: readonly { readonly text: string; readonly href: string; readonly isOn: boolean }[];
}) {
  return (
    <nav class={css.choice} aria-label={label}>
      {options.map(({ text, href, isOn }) => (
        <a key={href} href={href} {...(isOn ? { 'aria-current': 'true' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  );
}
