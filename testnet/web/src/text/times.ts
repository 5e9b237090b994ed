/** Times for people. All of the API's are RFC 3339 UTC with up to nine digits of a second. */

const STEPS: readonly (readonly [seconds: number, one: string])[] = [
  [86_400 * 365, 'y'],
  [86_400 * 30, 'mo'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** `12 s ago`, `in 3 min`, `now`. */
export function relativeTime(at: string, nowMs: number): string {
  const seconds = Math.round((nowMs - Date.parse(at)) / 1_000);
  const size = Math.abs(seconds);
  const step = STEPS.find(([length]) => size >= length);
  if (Number.isNaN(seconds)) return at;
  if (step === undefined) return 'now';
  const text = `${Math.floor(size / step[0])} ${step[1]}`;
  return seconds > 0 ? `${text} ago` : `in ${text}`;
}

/** `2026-11-20 10:00:00.25 UTC` */
export function exactTime(at: string): string {
  return at.replace('T', ' ').replace(/Z$/, ' UTC');
}

/** `20 Nov 2026, 10:00` UTC, as charts and their tables have it. */
export function dateTimeText(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
}

/** `20 Nov` of `2026-11-20`. */
export function dayText(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  });
}

/** `1 h 5 min`, `40 s` */
export function durationText(seconds: number): string {
  const parts = STEPS.slice(2).reduce<{ rest: number; texts: string[] }>(
    ({ rest, texts }, [length, unit]) => {
      const count = Math.floor(rest / length);
      return count === 0
        ? { rest, texts }
        : { rest: rest - count * length, texts: [...texts, `${count} ${unit}`] };
    },
    { rest: Math.max(0, Math.floor(seconds)), texts: [] },
  ).texts;
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
}
