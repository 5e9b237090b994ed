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
    <div role="status" class={css.place}>
      {text !== undefined && (
        <div class={css.line}>
          {text[0]}
          {text[1] !== undefined && <span class={css.more}> {text[1]}</span>}
        </div>
      )}
    </div>
  );
}

/** What is wrong, and what that means; a narrow window has room for the first. */
function trouble(): readonly [what: string, meaning?: string] | undefined {
  const error = statusError.value;
  const at = status.value;
  if (error !== undefined) {
    const who = error.status === 0 ? 'The app does not answer' : 'The indexer does not answer';
    const what = `${who}; it is asked again.`;
    return at === undefined ? [what] : [what, endsAt(at.indexed_height)];
  }
  if (at === undefined) return undefined;
  const { lag_blocks, wall_clock_lag_seconds } = at;
  if (lag_blocks > LAG_BLOCKS)
    return [
      `The indexer is ${countText(lag_blocks)} blocks behind and catches up.`,
      endsAt(at.indexed_height),
    ];
  if (wall_clock_lag_seconds > LAG_SECONDS)
    return [`No new blocks come: the newest is ${durationText(wall_clock_lag_seconds)} old.`];
  return undefined;
}

function endsAt(height: number): string {
  return `What you see ends at block ${countText(height)}.`;
}
