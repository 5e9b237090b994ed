import css from './progress.module.css';

/** How much of something is used or done, as a bar, and in words for those who do not see it. `permille` from 0 to 1000. */
export function Progress({
  label,
  permille,
  text,
  tone = 'plain',
}: {
  readonly label: string;
  readonly permille: number;
  readonly text: string;
  readonly tone?: 'plain' | 'warn';
}) {
  return (
    <span class={css.progress} title={text}>
      <span class={`${css.bar} ${css[tone]}`} style={{ width: `${permille / 10}%` }} />
      <span class="visually-hidden">
        {label}: {text}
      </span>
    </span>
  );
}
