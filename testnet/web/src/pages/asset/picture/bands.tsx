import { useOwnId } from '../../../parts/own-id.ts';
import css from '../picture.module.css';
import type { Band, Layout } from './layout.ts';

/** What the reader points at; nothing: everything is shown alike. */
export type Pointed = { readonly kindId: number } | { readonly holder: string | undefined } | undefined;

export function isOf(band: Band, pointed: Pointed): boolean {
  if (pointed === undefined) return true;
  return 'kindId' in pointed ? band.kindId === pointed.kindId : band.holder === pointed.holder;
}

const BAR = 8;

/** Bars and bands, `width` px wide. What they say stands in the labels and the table: for who does not see it this is nothing. */
export function Bands({
  layout: { height, kinds, holders, bands },
  width,
  pointed,
  onPoint,
}: {
  readonly layout: Layout;
  readonly width: number;
  readonly pointed: Pointed;
  onPoint(pointed: Pointed): void;
}) {
  const hatch = useOwnId();
  const right = Math.max(BAR, width - BAR);
  return (
    <svg class={css.bands} width={width} height={height} aria-hidden="true">
      <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class={css.hatch} width="2" height="6" />
      </pattern>
      {bands.map((band) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: a help for the pointer alone; labels do the same by keyboard
        <g
          key={`${band.kindId}/${band.holder ?? ''}`}
          class={isOf(band, pointed) ? css.band : css.faint}
          onMouseEnter={() => onPoint({ holder: band.holder })}
          onMouseLeave={() => onPoint(undefined)}
        >
          <path class={css.fill} d={ribbon(BAR, right, band.from, band.to, band.size)} />
          {band.lockedSize > 0 && (
            <path
              fill={`url(#${hatch})`}
              d={ribbon(
                BAR,
                right,
                band.from + band.size - band.lockedSize,
                band.to + band.size - band.lockedSize,
                band.lockedSize,
              )}
            />
          )}
        </g>
      ))}
      {kinds.map(({ kindId, top, height: size }) => (
        <rect key={kindId} class={css.kindBar} x="0" y={top} width={BAR} height={size} />
      ))}
      {holders.map(({ holder, barTop, barHeight }) => (
        <rect
          key={holder ?? ''}
          class={css.holderBar}
          x={right}
          y={barTop}
          width={BAR}
          height={Math.max(1, barHeight)}
        />
      ))}
    </svg>
  );
}

const LEAST = 0.75;

function ribbon(left: number, right: number, from: number, to: number, thickness: number): string {
  const middle = (left + right) / 2;
  const size = Math.max(LEAST, thickness);
  const at = (value: number) => value.toFixed(2);
  return [
    `M${left} ${at(from)}`,
    `C${middle} ${at(from)} ${middle} ${at(to)} ${right} ${at(to)}`,
    `V${at(to + size)}`,
    `C${middle} ${at(to + size)} ${middle} ${at(from + size)} ${left} ${at(from + size)}`,
    'Z',
  ].join('');
}
