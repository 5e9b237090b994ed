/** Whether everything is asked for (`npm run test:full`); `npm test` must end within minutes. */
export const IS_FULL = process.env.STRATA_TEST_POINTS === 'all';

/** All of them in a full run, else each `every`-th. For cases that differ by a name and take seconds. */
export function inShort<T>(cases: readonly T[], every: number): readonly T[] {
  return IS_FULL ? cases : cases.filter((_case, i) => i % every === 0);
}
