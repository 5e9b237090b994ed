import {
  CrosshairMode,
  createChart,
  HistogramSeries,
  LineSeries,
  LineType,
  type UTCTimestamp,
} from 'lightweight-charts';
import { axisText, axisTexts } from '../../text/axis.ts';

/** One value of a chart. */
export interface ChartPoint {
  /** RFC 3339, UTC. Of points within the same second the last one is drawn. */
  readonly at: string;
  /** Base units, a decimal text; undefined where there is none, which a bar chart keeps the room of. */
  readonly value: string | undefined;
}

/** A chart on its element. */
export interface Drawing {
  /** By second since 1970, oldest first. */
  show(points: ReadonlyMap<number, ChartPoint>): void;
  remove(): void;
}

/**
 * Draws into `box` and goes with its size and the page's theme. Nothing scrolls, zooms or moves: the page's links choose
 * the range. `onRead` gets the second under the pointer, undefined once it leaves.
 */
export function draw(
  box: HTMLElement,
  kind: 'line' | 'bars',
  decimals: number,
  onRead: (at: number | undefined) => void,
): Drawing {
  const chart = createChart(box, {
    autoSize: true,
    // its style element breaks the pages' CSP; the footer has the attribution
    layout: { attributionLogo: false, fontFamily: fontOf(box), fontSize: 11 },
    handleScroll: false,
    handleScale: false,
    crosshair: { mode: CrosshairMode.Magnet, horzLine: { visible: false, labelVisible: false } },
    rightPriceScale: { scaleMargins: { top: 0.08, bottom: kind === 'bars' ? 0 : 0.08 } },
    timeScale: {
      timeVisible: true,
      secondsVisible: false,
      fixLeftEdge: true,
      fixRightEdge: true,
      maxBarSpacing: 48,
    },
    localization: { locale: 'en-GB' },
  });
  const format = {
    type: 'custom',
    minMove: 10 ** -Math.min(decimals, 8),
    formatter: axisText,
    tickmarksFormatter: axisTexts,
  } as const;
  const shared = { priceFormat: format, lastValueVisible: false, priceLineVisible: false };
  const line = kind === 'line' ? chart.addSeries(LineSeries, { ...shared, lineWidth: 2 }) : undefined;
  const bars = kind === 'bars' ? chart.addSeries(HistogramSeries, { ...shared, base: 0 }) : undefined;
  // a price holds until the next one
  line?.applyOptions({ lineType: LineType.WithSteps });

  function paint(): void {
    const colour = (name: string) => colourOf(box, name);
    chart.applyOptions({
      layout: { background: { color: colour('--page') }, textColor: colour('--text-soft') },
      grid: { vertLines: { visible: false }, horzLines: { color: colour('--line') } },
      rightPriceScale: { borderColor: colour('--line') },
      timeScale: { borderColor: colour('--line-strong') },
      crosshair: {
        vertLine: { color: colour('--line-strong'), labelBackgroundColor: colour('--text-soft') },
      },
    });
    line?.applyOptions({ color: colour('--accent'), crosshairMarkerBackgroundColor: colour('--accent') });
    bars?.applyOptions({ color: colour('--what-assets') });
  }

  const themes = new MutationObserver(paint);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', paint);
  chart.subscribeCrosshairMove(({ time }) => onRead(typeof time === 'number' ? time : undefined));
  paint();

  return {
    show(points) {
      const data = [...points].map(([second, { value }]) => {
        const time = second as UTCTimestamp;
        return value === undefined ? { time } : { time, value: Number(value) / 10 ** decimals };
      });
      line?.setData(data);
      bars?.setData(data);
      chart.timeScale().fitContent();
    },
    remove() {
      themes.disconnect();
      system.removeEventListener('change', paint);
      chart.remove();
    },
  };
}

/** A token as a colour that a canvas takes: custom properties keep their `light-dark()`, computed colours do not. */
function colourOf(box: HTMLElement, name: string): string {
  box.style.color = `var(${name})`;
  const { color } = getComputedStyle(box);
  box.style.color = '';
  return color;
}

function fontOf(box: HTMLElement): string {
  return getComputedStyle(box).fontFamily;
}
