const PAGE = 4_096;

/**
 * How records that never change again have ended, one byte each: a chain numbers its records one after the other, and all
 * but the newest have ended. What else they say stands in their versions alone.
 */
export interface ClosedRecords {
  /** A place in the list of endings; undefined for a record that has not ended, or is not known. */
  get(id: bigint): number | undefined;
  set(id: bigint, ending: number): void;
}

/** Endings are 0 to 254. */
export function createClosedRecords(): ClosedRecords {
  const pages = new Map<bigint, Uint8Array>();
  const placeOf = (id: bigint): number => Number(id % BigInt(PAGE));
  return {
    get(id) {
      const ending = pages.get(id / BigInt(PAGE))?.[placeOf(id)] ?? 0;
      return ending === 0 ? undefined : ending - 1;
    },
    set(id, ending) {
      let page = pages.get(id / BigInt(PAGE));
      if (page === undefined) {
        page = new Uint8Array(PAGE);
        pages.set(id / BigInt(PAGE), page);
      }
      page[placeOf(id)] = ending + 1;
    },
  };
}
