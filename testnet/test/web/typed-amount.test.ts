import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountText } from '../../web/src/text/amounts.ts';
import { readAmount, readBack, readPositive, readSpendable } from '../../web/src/text/typed-amount.ts';

/** Money is lost where a field reads another number than was meant: it reads the right one, or none. */

/** Each writes numbers in a way of its own: separators, groups, digits. */
const LOCALES = [
  ...['en-US', 'en-GB', 'en-IN', 'en-ZA', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'es-ES', 'es-MX'],
  ...['pt-BR', 'pt-PT', 'it-IT', 'it-CH', 'nl-NL', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'pl-PL', 'cs-CZ'],
  ...['ru-RU', 'uk-UA', 'bg-BG', 'el-GR', 'tr-TR', 'hu-HU', 'ro-RO', 'et-EE', 'he-IL', 'ar-EG', 'ar-MA'],
  ...['fa-IR', 'ur-PK', 'hi-IN', 'mr-IN-u-nu-deva', 'bn-BD', 'ta-IN', 'my-MM', 'th-TH-u-nu-thai'],
  ...['ja-JP', 'zh-CN', 'zh-u-nu-hanidec', 'ko-KR', 'vi-VN', 'id-ID', 'sw-KE'],
];

/** One separator and three digits behind it: thousands to one reader, decimals to another. */
const AMBIGUOUS = /^[1-9][0-9]{0,2}[.,][0-9]{3}$/;

/** Decimal text of base units, every digit of it, as no locale writes it. */
function plainText(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

describe('an amount that somebody types', () => {
  it('1,5 is not 15', () => {
    expect(readAmount('1,5', 6)).toEqual({
      wrong: 'Write 1.5 with a point; a comma only separates thousands, as in 1,500.',
    });
  });

  it.each([
    ['0', 0n],
    ['1500', 1_500_000_000n],
    ['1,500', 1_500_000_000n],
    ['1.500', 1_500_000n],
    [' 1,234,567.89\n', 1_234_567_890_000n],
    ['999,999', 999_999_000_000n],
    ['007.25', 7_250_000n],
    ['0.000001', 1n],
  ])('%j is read', (typed, units) => {
    expect(readAmount(typed, 6)).toEqual({ units });
  });

  it.each([
    ['', /^Write an amount\.$/],
    [' \t ', /^Write an amount\.$/],
    ['1,5', /^Write 1\.5 with a point/],
    ['0,500', /^Write 0\.500 with a point/],
    ['1500,25', /^Write 1500\.25 with a point/],
    ['1234,567', /^Write 1234\.567 with a point/],
    ['1.234,56', /^Write 1234\.56 with a point/],
    ['1.234.567', /^Write one point only/],
    ['1.2.3', /^Write one point only/],
    ['12,34,567', /between groups of three digits/],
    ['1,5,0', /between groups of three digits/],
    ['1,500,25', /between groups of three digits/],
    ['1,,500', /between groups of three digits/],
    ['1,500.000,5', /between groups of three digits/],
    ['1.5,000', /between groups of three digits/],
    [',500', /between groups of three digits/],
    ['1,', /between groups of three digits/],
    ['-1', /without a sign/],
    ['+1', /without a sign/],
    ['−1', /without a sign/],
    ['1e3', /without an exponent/],
    ['1.5E-3', /without an exponent/],
    ['1 500', /without spaces/],
    ['1\u00a0500', /without spaces/],
    ['1\u202f500,25', /without spaces/],
    ["1'500.25", /without spaces and apostrophes/],
    ['1’500', /without spaces and apostrophes/],
    ['1_500', /without spaces/],
    ['\u00a01500', /digits and a point only/],
    ['١٥', /digits 0 to 9/],
    ['１５', /digits 0 to 9/],
    ['1٫5', /without spaces|digits/],
    ['.5', /^Write 0\.5/],
    ['5.', /^Write 5, or digits/],
    ['1.1234567', /at most 6 digits after the point; there are 7/],
    ['1'.repeat(79), /more digits than an amount can have/],
    ['0x10', /digits and a point only/],
    ['1\u200b5', /digits and a point only/],
    ['five', /digits and a point only/],
    ['Infinity', /digits and a point only/],
  ])('%j is refused, and the sentence says what to type', (typed, sentence) => {
    expect(readAmount(typed, 6).wrong).toMatch(sentence);
  });

  it('is whole where nothing can be divided, and above 0 where nothing is no amount', () => {
    expect(readAmount('1.5', 0).wrong).toMatch(/whole number/);
    expect(readAmount('1,500', 0)).toEqual({ units: 1_500n });
    expect(readPositive('0.0', 6).wrong).toMatch(/above 0/);
    expect(readPositive('0,0', 6).wrong).toMatch(/with a point/);
    expect(readPositive('0.1', 6)).toEqual({ units: 100_000n });
  });

  it('is at most what there is, and the refusal says what was read', () => {
    expect(readSpendable('1,500', 6, 'USD', '100000000')).toEqual({
      wrong: '1\u202f500 USD is more than you have.',
    });
    expect(readSpendable('100', 6, 'USD', '100000000')).toEqual({ units: 100_000_000n });
    expect(readSpendable('1,500', 6, 'USD', undefined)).toEqual({ units: 1_500_000_000n });
  });

  it('is read as it was meant, or not at all, however a locale writes it', () => {
    const read = { right: 0, refused: 0, ambiguous: 0 };
    const decimals = 6;
    const meant = fc.oneof(fc.bigInt(0n, 99_999n), fc.bigInt(0n, 10n ** 24n));
    fc.assert(
      fc.property(
        fc.constantFrom(...LOCALES),
        meant,
        fc.integer({ min: 0, max: decimals }),
        fc.boolean(),
        (locale, digits, written, useGrouping) => {
          const format = new Intl.NumberFormat(locale, {
            useGrouping,
            minimumFractionDigits: written,
            maximumFractionDigits: written,
          });
          // more digits than a number has go as text (ECMA-402, Intl mathematical values)
          const typed = format.format(plainText(digits, written) as unknown as number);
          const { units } = readAmount(typed, decimals);
          const point = format.formatToParts(1.5).find(({ type }) => type === 'decimal')?.value;
          if (units === undefined) read.refused += 1;
          else if (AMBIGUOUS.test(typed) && point !== '.') {
            // the one known exception, which the field shows back: their comma is our separator, and their point ours
            read.ambiguous += 1;
          } else {
            read.right += 1;
            expect(units, `${locale} ${JSON.stringify(typed)}`).toBe(
              digits * 10n ** BigInt(decimals - written),
            );
          }
        },
      ),
      { numRuns: 3_000 },
    );
    // a reader that refuses everything would pass
    expect(read.right).toBeGreaterThan(500);
    expect(read.refused).toBeGreaterThan(500);
    expect(read.ambiguous).toBeGreaterThan(0);
  });

  it('is read back in a way that means one number only', () => {
    expect(readBack(1_500_000_000n, 6)).toBe('1\u202f500');
    expect(readBack(1_500_000n, 6)).toBe('1.5');
    expect(readBack(12_345_000n, 6)).toBe('12.3450');
    expect(readBack(1_234_567_890_000n, 6)).toBe('1\u202f234\u202f567.89');
    expect(readBack(5n, 0)).toBe('5');
    expect(readBack(0n, 18)).toBe('0');
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 18 }), (units, decimals) => {
        const shown = readBack(units, decimals);
        expect(shown).not.toMatch(/,|\.\d{3}$/);
        // three decimals have a fourth, which a field with three would not take
        const read = readAmount(shown.replaceAll('\u202f', ''), Math.max(4, decimals));
        expect(read.units).toBe(units * 10n ** BigInt(Math.max(4, decimals) - decimals));
      }),
    );
  });

  it('may be copied from where the pages show one, which is never more than there is', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 256n - 1n), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
        const { short, exact } = amountText(amount, decimals);
        expect(readAmount(exact, decimals).units).toBe(amount);
        if (!short.startsWith('<'))
          expect(readAmount(short, decimals).units ?? -1n).toBeLessThanOrEqual(amount);
      }),
    );
  });
});
