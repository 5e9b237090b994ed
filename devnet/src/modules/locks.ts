import type { Reader } from '../state/state.ts';
import { LOCKS, positionKey } from './rights/positions.ts';

/** A lock that a module's open records account for. */
export interface ExpectedLock {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly ref: string;
  readonly units: bigint;
}

/** Where the locks under refs of `<moduleName>/` are not those of its open records: no more, no fewer, no others. */
export function lockProblems(reader: Reader, moduleName: string, expected: Iterable<ExpectedLock>): string[] {
  const wanted = new Map<string, bigint>();
  for (const { assetId, kindId, holder, ref, units } of expected)
    wanted.set(`${positionKey(assetId, kindId, holder)}|${ref}`, units);
  const problems: string[] = [];
  for (const [key, units] of reader.entries(LOCKS)) {
    if (!key.includes(`|${moduleName}/`)) continue;
    if (wanted.get(key) !== units) problems.push(`lock ${key} has ${units}, not ${wanted.get(key) ?? 0n}`);
    wanted.delete(key);
  }
  for (const [key, units] of wanted) problems.push(`lock ${key} is missing, not ${units}`);
  return problems;
}
