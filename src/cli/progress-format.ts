/** Texts of the progress line. Pure: numbers in, text out. */

export interface ProgressView {
  /** The last height that is done, and where this run began. */
  readonly height: number;
  readonly startHeight: number;
  /** Where the run ends (--to) or the chain's head. */
  readonly targetHeight: number;
  readonly chainHeight: number;
  readonly blocksPerSecond: number;
  readonly eventsPerSecond: number;
  readonly memoryBytes: number;
}

const UNKNOWN = '—';
const BAR_CELLS = 16;

/** 1234567 → 1,234,567 */
export function formatCount(count: number): string {
  return Math.trunc(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');
}

/** One decimal below 10, none below 10,000, then 12.3k and 4.5M. */
export function formatRate(perSecond: number): string {
  if (perSecond <= 0) return '0';
  if (perSecond < 9.95) return perSecond.toFixed(1);
  if (perSecond < 9_999.5) return formatCount(Math.round(perSecond));
  if (perSecond < 999_950) return `${(perSecond / 1_000).toFixed(1)}k`;
  return `${(perSecond / 1_000_000).toFixed(1)}M`;
}

/** Two units at most: 42s, 3m05s, 2h07m, 4d03h; a dash where it is unknown. */
export function formatDuration(seconds: number | undefined): string {
  if (seconds === undefined || !Number.isFinite(seconds)) return UNKNOWN;
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)}m${pad(whole % 60)}s`;
  if (whole < 86_400) return `${Math.floor(whole / 3_600)}h${pad(Math.floor((whole % 3_600) / 60))}m`;
  return `${Math.floor(whole / 86_400)}d${pad(Math.floor((whole % 86_400) / 3_600))}h`;
}

/** Decimal units: 412 MB, 1.3 GB. */
export function formatBytes(bytes: number): string {
  if (bytes < 999_500_000) return `${Math.round(bytes / 1_000_000)} MB`;
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`;
}

/** A bar of `cells` characters; full only when the work is done. */
export function formatBar(done: number, total: number, cells: number): string {
  const filled = total <= 0 ? cells : Math.min(cells, Math.floor((Math.max(0, done) / total) * cells));
  return '█'.repeat(filled) + '░'.repeat(cells - filled);
}

/** Seconds to the target at the present rate; undefined while there is no rate, 0 when there. */
export function estimateSeconds(view: ProgressView): number | undefined {
  const left = view.targetHeight - view.height;
  if (left <= 0) return 0;
  return view.blocksPerSecond > 0 ? left / view.blocksPerSecond : undefined;
}

/**
 * The line in at most `width` characters: a bar while there is more than a block to do, then height, rates, lag,
 * time left, memory. What does not fit is left out, the least telling first, never wrapped.
 */
export function formatProgress(view: ProgressView, width: number): string {
  return joinWithin(progressParts(view, view.targetHeight - view.height > 1), width);
}

/** The same for a log line: whole, without the bar. */
export function formatProgressLog(view: ProgressView): string {
  return joinWithin(progressParts(view, false), Number.POSITIVE_INFINITY);
}

/** The number tells what goes first when the line is too long. */
type Part = readonly [text: string, dropOrder: number];

function progressParts(view: ProgressView, behind: boolean): readonly Part[] {
  const total = view.targetHeight - view.startHeight;
  const done = view.height - view.startHeight;
  const percent = total <= 0 ? 100 : Math.floor((Math.max(0, done) / total) * 100);
  return [
    ...(behind ? [[`${formatBar(done, total, BAR_CELLS)} ${percent}%`, 2] as const] : []),
    [`${formatCount(view.height)}/${formatCount(view.targetHeight)}`, 9],
    [`${formatRate(view.blocksPerSecond)} blocks/s`, 6],
    [`${formatRate(view.eventsPerSecond)} events/s`, 3],
    [`lag ${formatCount(Math.max(0, view.chainHeight - view.height))}`, 4],
    ...(behind ? [[`ETA ${formatDuration(estimateSeconds(view))}`, 5] as const] : []),
    [formatBytes(view.memoryBytes), 1],
  ];
}

/** The same facts as fields of a log line, for machines. */
export function progressFields(view: ProgressView): Record<string, number> {
  const seconds = estimateSeconds(view);
  return {
    height: view.height,
    target: view.targetHeight,
    blocksPerSecond: round(view.blocksPerSecond),
    eventsPerSecond: round(view.eventsPerSecond),
    lagBlocks: Math.max(0, view.chainHeight - view.height),
    ...(seconds === undefined ? {} : { etaSeconds: Math.round(seconds) }),
    memoryBytes: view.memoryBytes,
  };
}

function joinWithin(fields: readonly Part[], width: number): string {
  let kept = fields;
  for (;;) {
    const line = kept.map(([text]) => text).join(' · ');
    if (line.length <= width) return line;
    if (kept.length <= 1) return line.slice(0, Math.max(0, width));
    const next = Math.min(...kept.map(([, order]) => order));
    kept = kept.filter(([, order]) => order !== next);
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function pad(value: number): string {
  return value.toString().padStart(2, '0');
}
