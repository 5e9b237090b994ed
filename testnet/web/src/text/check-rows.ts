import type { BridgeRoute } from '../../../../clients/ts/src/client.ts';

/** Rows as they are read: disagreements first, then the newest. Rows of the same height keep their order. */
export function inOrder<R extends { readonly agree: boolean; readonly height: number }>(
  rows: readonly R[],
): readonly R[] {
  return rows.toSorted((a, b) => Number(a.agree) - Number(b.agree) || b.height - a.height);
}

export interface CheckSummary {
  readonly count: number;
  readonly disagreeing: number;
  /** Not made, because the chain could not be asked. */
  readonly unasked: number;
  /** Between these blocks, undefined where nothing was checked. */
  readonly heights: readonly [lowest: number, highest: number] | undefined;
}

export function summaryOf(
  rows: readonly { readonly agree: boolean; readonly height: number; readonly evaluated?: boolean }[],
): CheckSummary {
  const made = rows.filter(({ evaluated }) => evaluated !== false);
  const heights = made.map(({ height }) => height);
  return {
    count: rows.length,
    disagreeing: rows.filter(({ agree }) => !agree).length,
    unasked: rows.length - made.length,
    heights:
      heights.length === 0
        ? undefined
        : // spread arguments would overflow the stack on a big chain
          [heights.reduce((a, b) => Math.min(a, b)), heights.reduce((a, b) => Math.max(a, b))],
  };
}

/** The bridge's checks as rows of the same shape; routes that were never checked are left out. */
export function routeChecks(routes: readonly BridgeRoute[]) {
  return routes.flatMap((route) =>
    route.i8 === null
      ? []
      : [
          {
            route,
            height: route.i8.height,
            agree: route.i8.agree,
            evaluated: route.i8.evaluated,
          },
        ],
  );
}

/** What the number of recorded disagreements means. */
export function driftWords(total: number): string {
  if (total === 0)
    return 'No figure of the indexer is on record as different from the chain’s: not in any event that it has read, nor in the latest checks.';
  return `The indexer has recorded ${total === 1 ? 'one disagreement' : `${total} disagreements`} with the chain: in the checks below, between the figures of an event and its own, or in the whole state of a part of the chain. Figures on these pages may be wrong where they touch it.`;
}
