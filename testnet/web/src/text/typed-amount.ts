/** The one reader of amounts that somebody types, and what is shown back of them before anything is signed. */

/** Base units, or a sentence that says what to type instead. */
export type TypedAmount =
  | { readonly units: bigint; readonly wrong?: undefined }
  | { readonly units?: undefined; readonly wrong: string };

/** Digits before the point: 2^256 has 78. */
const MOST_DIGITS = 78;
const PLAIN = /^([0-9]+)(?:\.([0-9]+))?$/;
const GROUPED = /^([1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.([0-9]+))?$/;

/**
 * Reads digits, a decimal point, and commas between full groups of three: `1500`, `1,500`, `1,234,567.89`. Everything else
 * is refused rather than guessed. Two texts mean different things to different people: `1,500` is read as 1500, and
 * `1.500` as one and a half. `readBack` shows which, in a form that nobody reads otherwise.
 */
export function readAmount(typed: string, decimals: number): TypedAmount {
  const text = typed.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');
  const match = PLAIN.exec(text) ?? GROUPED.exec(text);
  if (match === null) return { wrong: whyRefused(text) };
  const [, grouped = '', fraction = ''] = match;
  const whole = grouped.replaceAll(',', '');
  if (whole.length > MOST_DIGITS) return { wrong: 'That is more digits than an amount can have.' };
  if (fraction.length > decimals) {
    return {
      wrong:
        decimals === 0
          ? 'Write a whole number: this cannot be divided.'
          : `Write at most ${decimals} digits after the point; there are ${fraction.length}.`,
    };
  }
  return { units: BigInt(whole + fraction.padEnd(decimals, '0')) };
}

/** As `readAmount`, where 0 is no amount either. */
export function readPositive(typed: string, decimals: number): TypedAmount {
  const read = readAmount(typed, decimals);
  return read.units === 0n ? { wrong: 'Write a number above 0.' } : read;
}

/** As `readPositive`, of at most what the account has; `held` is undefined where nobody knows. */
export function readSpendable(
  typed: string,
  decimals: number,
  symbol: string,
  held: string | undefined,
): TypedAmount {
  const read = readPositive(typed, decimals);
  if (read.units === undefined || held === undefined || read.units <= BigInt(held)) return read;
  return { wrong: `${readBack(read.units, decimals)} ${symbol} is more than you have.` };
}

/** U+202F, which does not break a line. */
const SPACE = '\u202f';

/**
 * An amount as it was read. Spaces separate thousands, and three digits after the point get a zero behind them: neither
 * can be taken for the other separator. `1 500`, `1.5`, `12.3450`.
 */
export function readBack(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, SPACE);
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  if (fraction === '') return whole;
  return `${whole}.${fraction.length === 3 ? `${fraction}0` : fraction}`;
}

/** The rules go from the most particular to the most general. Each sentence says what to type. */
function whyRefused(text: string): string {
  if (text === '') return 'Write an amount.';
  if (/^[+\-−–]/.test(text)) return 'Write the amount without a sign.';
  if (/[^\P{Nd}0-9]/u.test(text)) return 'Write the amount with the digits 0 to 9.';
  if (/^[0-9.,]+e[+-]?[0-9]+$/i.test(text)) return 'Write all digits, without an exponent.';
  const [, whole = '', fraction = ''] =
    /^([0-9]+),([0-9]+)$/.exec(text) ?? /^([0-9]{1,3}(?:\.[0-9]{3})+),([0-9]+)$/.exec(text) ?? [];
  if (whole !== '') {
    return `Write ${whole.replaceAll('.', '')}.${fraction} with a point; a comma only separates thousands, as in 1,500.`;
  }
  if (/^[0-9][0-9.,\s'’`_·٬٫]*$/u.test(text) && /[^0-9.,]/u.test(text)) {
    return 'Write the amount without spaces and apostrophes, as in 1500 or 1,500.';
  }
  if (/^\.[0-9]+$/.test(text)) return `Write 0${text}, with a digit before the point.`;
  if (/^[0-9]+\.$/.test(text)) return `Write ${text.slice(0, -1)}, or digits after the point.`;
  if (/^[0-9.]+$/.test(text)) return 'Write one point only, before the decimals, as in 1,234,567.89.';
  if (/^[0-9.,]+$/.test(text)) {
    return 'Write commas only between groups of three digits, as in 1,234,567.89, or leave them out.';
  }
  return 'Write the amount with digits and a point only, as in 1500.25.';
}
