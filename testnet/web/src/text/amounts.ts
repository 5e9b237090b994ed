/** Amounts for people: truncated, never rounded up, with the exact figure beside them. */

export interface AmountText {
  /** At most `maxFraction` digits after the point; `<0.0001` for less than is shown. */
  readonly short: string;
  /** Every digit. */
  readonly exact: string;
}

const GROUPS = /\B(?=(\d{3})+$)/g;

/** `amount` in base units (a decimal text, also negative), of which 10^decimals make one. */
export function amountText(amount: string | bigint | number, decimals: number, maxFraction = 4): AmountText {
  const value = BigInt(amount);
  const sign = value < 0n ? '−' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(GROUPS, ',');
  const fraction = decimals === 0 ? '' : digits.slice(-decimals);
  const exact = `${sign}${whole}${trimmed(fraction)}`;
  const shown = trimmed(fraction.slice(0, maxFraction));
  const isHidden = value !== 0n && whole === '0' && shown === '';
  return { short: isHidden ? `<${sign}0.${'0'.repeat(maxFraction - 1)}1` : `${sign}${whole}${shown}`, exact };
}

function trimmed(fraction: string): string {
  const kept = fraction.replace(/0+$/, '');
  return kept === '' ? '' : `.${kept}`;
}

const MOST_DIGITS = 18;
const KEPT_DIGITS = 4;

/** `5.789 × 10⁷⁰` of a written amount with more than 18 digits before the point, cut off rather than rounded; others stay. */
export function hugeText(text: string): string {
  const [, sign = '', whole = ''] = /^(−?)([\d,]+)/.exec(text) ?? [];
  const digits = whole.replaceAll(',', '');
  if (digits.length <= MOST_DIGITS) return text;
  const kept = digits.slice(1, KEPT_DIGITS).replace(/0+$/, '');
  return `${sign}${digits[0]}${kept === '' ? '' : `.${kept}`} × 10${raised(digits.length - 1)}`;
}

const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function raised(power: number): string {
  return [...String(power)].map((digit) => RAISED[Number(digit)]).join('');
}

/** 1,234,567 */
export function countText(count: number | string | bigint): string {
  return String(count).replace(GROUPS, ',');
}
