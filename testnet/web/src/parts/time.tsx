import { nowMs } from '../data/live.ts';
import { exactTime, relativeTime } from '../text/times.ts';

/** Relative, the exact one on hover. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={exactTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {relativeTime(at, nowMs.value)}
    </time>
  );
}
