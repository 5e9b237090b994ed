import type { KindClass } from '../../../../clients/ts/src/client.ts';

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

export interface ToldKind {
  readonly class: KindClass;
  readonly decimals: number;
}

/** `income rights`; `income rights of kind 2` where the asset has more of that class; `kind 2` where it is not known. */
export function kindWords(
  kinds: readonly ToldKind[] | undefined,
  kindId: number,
  isOne: boolean = false,
): string {
  const kind = kinds?.[kindId];
  if (kind === undefined) return `kind ${kindId}`;
  const isOnly = kinds?.filter((each) => each.class === kind.class).length === 1;
  return `${rightWords(kind.class, isOne)}${isOnly ? '' : ` of kind ${kindId}`}`;
}

/** What stands behind an amount of a kind: `income rights`, or `base units of kind 2` where its decimals are not known. */
export function unitWords(
  kinds: readonly ToldKind[] | undefined,
  kindId: number,
  units: string | bigint,
): string {
  const decimals = kinds?.[kindId]?.decimals;
  const isOne = BigInt(units) === 10n ** BigInt(decimals ?? 0);
  return `${decimals === undefined ? `${plural('base unit', isOne)} of ` : ''}${kindWords(kinds, kindId, isOne)}`;
}

/** The same of whole shares, which have the decimals of the kinds that they are made of. */
export function shareWords(decimals: number | undefined, units: string | bigint): string {
  const isOne = BigInt(units) === 10n ** BigInt(decimals ?? 0);
  return decimals === undefined
    ? `${plural('base unit', isOne)} of whole shares`
    : plural('whole share', isOne);
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
