const STEPS: readonly (readonly [size: number, letter: string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'k'],
];

/**
 * A number at an axis, where room is scarce: `1.25M`, `40k`, `2,500`, `0.00042`. Only for axes; amounts that people rely
 * on are written by text/amounts.ts.
 */
export function axisText(value: number): string {
  const size = Math.abs(value);
  const step = STEPS.find(([least]) => size >= least);
  if (step !== undefined) {
    const unit = step[1] === 'k' ? 1e3 : step[0];
    return `${plain(value / unit, 2)}${step[1]}`;
  }
  if (size >= 1 || size === 0) return plain(value, 2);
  return plain(value, Math.min(8, 2 - Math.floor(Math.log10(size))));
}

function plain(value: number, digits: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
