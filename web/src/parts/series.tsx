import { countText } from '../text/amounts.ts';
import { dayText } from '../text/times.ts';
import css from './series.module.css';

/** Days as bars, with their figures on hover, and as a table for those who do not see them. */
export function DayBars({
  label,
  days,
}: {
  readonly label: string;
  readonly days: readonly { readonly day: string; readonly count: number }[];
}) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  return (
    <figure class={css.figure}>
      <figcaption>
        {label} <span class="soft">up to {countText(most)} a day</span>
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
        <span>{dayText(days[0]?.day ?? '')}</span>
        <span>{dayText(days.at(-1)?.day ?? '')}</span>
      </div>
    </figure>
  );
}
