const STEPS: readonly (readonly [size: number, letter: string])[] = [
  [1e12, 'T'],
  [1e9, 'B'],
  [1e6, 'M'],
  [1e4, 'k'],
];

const LEAST_DIGITS = 2;
const MOST_DIGITS = 8;

/**
 * A number at an axis, where room is scarce: `1.25M`, `40k`, `2,500`, `0.00042`. Only for axes; amounts that people rely
 * on are written by text/amounts.ts.
 */
export function axisText(value: number): string {
  return shortText(value, LEAST_DIGITS);
}

/** The numbers of one axis, with as many digits as tell them apart: `2.025`, `2.03`. */
export function axisTexts(values: readonly number[]): string[] {
  const texts = (digits: number): string[] => values.map((value) => shortText(value, digits));
  const isTold = (digits: number): boolean => new Set(texts(digits)).size === new Set(values).size;
  let digits = LEAST_DIGITS;
  while (digits < MOST_DIGITS && !isTold(digits)) digits += 1;
  return texts(digits);
}

function shortText(value: number, digits: number): string {
  const size = Math.abs(value);
  const step = STEPS.find(([least]) => size >= least);
  if (step !== undefined) {
    const unit = step[1] === 'k' ? 1e3 : step[0];
    return `${plain(value / unit, digits)}${step[1]}`;
  }
  if (size >= 1 || size === 0) return plain(value, digits);
  return plain(value, Math.min(MOST_DIGITS, digits - Math.floor(Math.log10(size))));
}

function plain(value: number, digits: number): string {
  return value.toLocaleString('en-GB', { maximumFractionDigits: digits });
}
