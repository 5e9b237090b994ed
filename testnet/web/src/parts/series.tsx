import { countText } from '../text/amounts.ts';
import { dayText } from '../text/times.ts';
import css from './series.module.css';

/** Days as bars, with their figures on hover, and as text for those who do not see them. Without days it keeps their room. */
export function DayBars({
  label,
  days,
}: {
  readonly label: string;
  readonly days: readonly { readonly day: string; readonly count: number }[];
}) {
  const [first, last] = [days[0], days.at(-1)];
  const most = Math.max(1, ...days.map(({ count }) => count));
  return (
    <figure class={css.figure}>
      <figcaption>
        {label} <span class="soft">{days.length === 0 ? '…' : `up to ${countText(most)} a day`}</span>
      </figcaption>
      <ol class={css.bars}>
        {days.map(({ day, count }) => (
          <li key={day} title={`${dayText(day)}: ${countText(count)}`}>
            <span class={css.bar} style={{ height: `${(count / most) * 100}%` }} />
            <span class="visually-hidden">
              {dayText(day)}: {countText(count)}
            </span>
          </li>
        ))}
      </ol>
      <div class={css.ends} aria-hidden="true">
        <span>{first === undefined ? '' : dayText(first.day)}</span>
        <span>{last === undefined ? '' : dayText(last.day)}</span>
      </div>
    </figure>
  );
}
