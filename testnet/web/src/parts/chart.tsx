import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { amountText } from '../text/amounts.ts';
import { dateTimeText } from '../text/times.ts';
import { Waiting } from './answer.tsx';
import type { ChartPoint, Drawing } from './chart/drawing.ts';
import css from './chart.module.css';

export interface ChartUnit {
  readonly decimals: number;
  readonly symbol: string;
}

/**
 * Values over time, oldest first: a line (a price), or bars (amounts of a span, see text/buckets.ts). The value under the
 * pointer stands above the picture; the same figures stand in a table for whoever does not see it, or wants them exact.
 * The library that draws is loaded with the first chart, its room is kept.
 */
export function TimeChart({
  label,
  points,
  kind,
  unit,
}: {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly kind: 'line' | 'bars';
  readonly unit: ChartUnit;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<Drawing | 'failed' | undefined>();
  const [at, setAt] = useState<number | undefined>();
  const { decimals, symbol } = unit;

  useEffect(() => {
    let isGone = false;
    let drawn: Drawing | undefined;
    import('./chart/drawing.ts').then(
      ({ draw }) => {
        if (isGone || box.current === null) return;
        drawn = draw(box.current, kind, decimals, setAt);
        setDrawing(drawn);
      },
      () => setDrawing('failed'),
    );
    return () => {
      isGone = true;
      drawn?.remove();
      setDrawing(undefined);
    };
  }, [kind, decimals]);

  const bySecond = useMemo(
    () => new Map(points.map((point) => [Math.floor(Date.parse(point.at) / 1_000), point])),
    [points],
  );
  useEffect(() => {
    if (drawing !== undefined && drawing !== 'failed') drawing.show(bySecond);
  }, [drawing, bySecond]);

  const told = points.filter(({ value }) => value !== undefined);
  const read =
    (at === undefined ? undefined : bySecond.get(at)) ?? (kind === 'line' ? told.at(-1) : undefined);
  return (
    <figure class={css.figure}>
      <figcaption class={css.caption}>
        <span>{label}</span>
        <span class={css.read}>
          {read?.value === undefined ? (
            <span class="soft">point at the chart to read it</span>
          ) : (
            <>
              <strong>{amountText(read.value, decimals, decimals).exact}</strong> {symbol}
              <span class="soft"> {dateTimeText(read.at)}</span>
            </>
          )}
        </span>
      </figcaption>
      <div class={css.room}>
        <div class={css.box} ref={box} aria-hidden="true" />
        {drawing === undefined && (
          <div class={css.over}>
            <Waiting rows={6} />
          </div>
        )}
        {drawing === 'failed' && (
          <p class={css.over}>The chart could not be loaded. The same figures stand in the table below.</p>
        )}
      </div>
      <details class={css.table}>
        <summary>
          The figures<span class="visually-hidden"> of {label}</span>
        </summary>
        <FigureTable label={label} points={told} unit={unit} />
      </details>
    </figure>
  );
}

/** Newest first. */
function FigureTable({
  label,
  points,
  unit: { decimals, symbol },
}: {
  readonly label: string;
  readonly points: readonly ChartPoint[];
  readonly unit: ChartUnit;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class={css.scroll} aria-label={label} tabIndex={0}>
      <table>
        <caption class="visually-hidden">{label}</caption>
        <thead>
          <tr>
            <th scope="col">Time (UTC)</th>
            <th scope="col">{symbol}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, value = '0' }) => (
            <tr key={at}>
              <td>{dateTimeText(at)}</td>
              <td>{amountText(value, decimals, decimals).exact}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
