import type { Texts } from './texts.ts';

/** Ends a walk through the state that has read all that it may. */
export class ReadsUsedUp extends Error {
  constructor() {
    super('the reads are used up');
    this.name = 'ReadsUsedUp';
  }
}

/** The same state, for at most `most` records; those that are not there at its height count too. Errors: ReadsUsedUp. */
export function boundReads(texts: Texts, most: number): Texts {
  let left = most;
  const count = (): void => {
    if (left === 0) throw new ReadsUsedUp();
    left -= 1;
  };
  return {
    get(collection, key) {
      count();
      return texts.get(collection, key);
    },
    *entries(collection, prefix, after) {
      count();
      for (const entry of texts.entries(collection, prefix, after)) {
        count();
        yield entry;
      }
    },
  };
}
