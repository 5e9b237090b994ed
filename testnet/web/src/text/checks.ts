import type { InvariantCheck, ReconciledKind } from '../../../../clients/ts/src/client.ts';
import { visibleText } from './visible.ts';

/** One number of which chain and index have two. `none` where one of them has no such thing. */
export interface Difference {
  readonly what: string;
  /** Base units, as told. */
  readonly chain: string;
  readonly index: string;
}

/** Every number of a comparison that is not the same on both sides. */
export function checkDifferences({
  chain,
  indexer,
}: Pick<InvariantCheck, 'chain' | 'indexer'>): readonly Difference[] {
  const [left, right] = [numbers(chain), numbers(indexer)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .map((what) => ({ what, chain: left.get(what) ?? 'none', index: right.get(what) ?? 'none' }))
    .filter((each) => each.chain !== each.index);
}

function numbers({ supply, positions, encumbered, accruals }: ReconciledKind): ReadonlyMap<string, string> {
  return new Map([
    ['units', supply],
    ['units of all holders', positions],
    ['units locked', encumbered],
    ...accruals.flatMap((accrual) => {
      const of = visibleText(accrual.denom);
      return [
        [`paid out in ${of}`, accrual.total_distributed],
        [`claimed in ${of}`, accrual.total_paid],
        [`held for claims in ${of}`, accrual.module_held],
        [`income per unit in ${of}, × 10¹⁸`, accrual.index],
        [`remainder for the next payout in ${of}, × 10¹⁸`, accrual.carry_scaled],
      ] as const;
    }),
  ]);
}
