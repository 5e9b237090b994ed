import { shorten } from '../text/shorten.ts';
import { Copy } from './copy.tsx';
import css from './hash.module.css';

/** A hash or id, shortened in its middle, whole on hover, with a button that copies it. */
export function Hash({
  value,
  href,
  what = 'hash',
  whole = false,
}: {
  readonly value: string;
  readonly href?: string;
  readonly what?: string;
  readonly whole?: boolean;
}) {
  const text = whole ? value : shorten(value);
  return (
    <span class={css.hash} title={value}>
      {href === undefined ? (
        <span class="mono">{text}</span>
      ) : (
        <a class="mono" href={href}>
          {text}
        </a>
      )}
      <Copy text={value} what={what} />
    </span>
  );
}
