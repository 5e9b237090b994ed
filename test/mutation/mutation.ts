import type { Group } from './filters.ts';

/** A bug that somebody might make, and the tests that have to see it. */
export interface Mutation {
  readonly id: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Stands in `file` exactly once. */
  readonly find: string;
  readonly replace: string;
  /** Groups of tests, run in this order until one fails. */
  readonly tests: readonly Group[];
}

/** The source with the mutation in it. Errors: when `find` does not stand there exactly once. */
export function mutated(source: string, { id, file, find, replace }: Mutation): string {
  const at = source.indexOf(find);
  const count = at < 0 ? 0 : source.split(find).length - 1;
  if (count !== 1) throw new Error(`${id}: its text stands ${count} times in ${file}`);
  return source.slice(0, at) + replace + source.slice(at + find.length);
}
