import type { KindClass } from '../../../clients/ts/src/client.ts';

const WORDS: Readonly<Record<KindClass, string>> = {
  ECONOMIC: 'economic right',
  INCOME: 'income right',
  VOTE: 'voting right',
  REDEMPTION: 'redemption right',
};

/** `income right`, as people say a class of rights; `income rights` of a quantity that is not one. */
export function rightWords(kindClass: KindClass, isOne: boolean): string {
  return plural(WORDS[kindClass] ?? `right of class ${kindClass}`, isOne);
}

/** `whole shares` */
export function plural(word: string, isOne: boolean): string {
  return isOne ? word : `${word}s`;
}

/** `a`, `a and b`, `a, b and c`: what stands before the item at `at` of `count`. */
export function joint(at: number, count: number): string {
  if (at === 0) return '';
  return at === count - 1 ? ' and ' : ', ';
}
