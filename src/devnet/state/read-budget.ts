import type { Collection, Reader } from './state.ts';

/** Ends a walk through the state that has read all that it may. */
export class ReadsUsedUp extends Error {
  constructor() {
    super('the reads are used up');
    this.name = 'ReadsUsedUp';
  }
}

/** The same state, for at most `most` records. Errors of its reads: ReadsUsedUp. */
export function boundReads(reader: Reader, most: number): Reader {
  let left = most;
  const count = (): void => {
    if (left === 0) throw new ReadsUsedUp();
    left -= 1;
  };
  return {
    get<V>(collection: Collection<V>, key: string) {
      count();
      return reader.get(collection, key);
    },
    *entries<V>(collection: Collection<V>, prefix = '') {
      count();
      for (const entry of reader.entries(collection, prefix)) {
        count();
        yield entry;
      }
    },
  };
}
