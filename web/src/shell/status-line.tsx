import { status, statusError } from '../data/live.ts';
import { countText } from '../text/amounts.ts';
import { durationText } from '../text/times.ts';
import css from './status-line.module.css';

/** More is said at the top of every page. */
const LAG_BLOCKS = 20;
const LAG_SECONDS = 60;

/** One line, only when what is shown may be old: the indexer lags, or nobody answers. */
export function StatusLine() {
  const text = trouble();
  return (
    <div role="status" class={text === undefined ? 'visually-hidden' : css.line}>
      {text ?? ''}
    </div>
  );
}

function trouble(): string | undefined {
  const error = statusError.value;
  const at = status.value;
  if (error !== undefined) {
    const who = error.status === 0 ? 'The app does not answer' : 'The indexer does not answer';
    const since = at === undefined ? '' : ` What you see ends at block ${countText(at.indexed_height)}.`;
    return `${who}; it is asked again every second.${since}`;
  }
  if (at === undefined) return undefined;
  const { lag_blocks, wall_clock_lag_seconds } = at;
  if (lag_blocks > LAG_BLOCKS)
    return `The indexer is ${countText(lag_blocks)} blocks behind the chain and catches up. What you see ends at block ${countText(at.indexed_height)}.`;
  if (wall_clock_lag_seconds > LAG_SECONDS)
    return `The chain's newest block is ${durationText(wall_clock_lag_seconds)} old: no new blocks come.`;
  return undefined;
}
