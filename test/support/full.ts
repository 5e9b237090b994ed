import { seededRandom } from './random.ts';

/** Whether everything is asked for (`npm run test:full`); `npm test` must end within minutes. */
export const IS_FULL = process.env.STRATA_TEST_POINTS === 'all';

/** What `npm run test:full` draws by, which prints it: the same number, the same cases. Without it there is no draw. */
const SEED = process.env.STRATA_TEST_SEED;

/** All of them in a full run, else each `every`-th. For cases that differ by a name and take seconds. */
export function inShort<T>(cases: readonly T[], every: number): readonly T[] {
  return IS_FULL ? cases : cases.filter((_case, i) => i % every === 0);
}

/**
 * So many of cases that are the same proof over another table's name, in their order: others in each run of
 * `npm run test:full`, and all without its seed.
 */
export function drawn<T>(cases: readonly T[], count: number, seed = SEED): readonly T[] {
  if (seed === undefined || seed === '') return cases;
  if (!/^\d{1,9}$/.test(seed)) throw new Error(`STRATA_TEST_SEED must be a whole number, not ${seed}`);
  const random = seededRandom(Number(seed));
  const left = cases.map((_case, i) => i);
  const taken = Array.from({ length: Math.min(count, cases.length) }, () => {
    const [i = 0] = left.splice(random.between(0, left.length - 1), 1);
    return i;
  });
  return cases.filter((_case, i) => taken.includes(i));
}
