import { collection, numberKey, type Reader, type State } from '../state/state.ts';

/** Records that are numbered from 1 and some of which end by time: settlements, encumbrances, delegations. */

/** Holds a nanosecond time to the year 9999, so that keys are in the order of time. */
const TIME_DIGITS = 24;

export interface Sequence {
  next(reader: Reader): bigint;
  take(state: State): bigint;
  /** Of genesis. */
  set(state: State, next: bigint): void;
}

/** The ids of a module: `settlement/next`. */
export function sequence(moduleName: string): Sequence {
  const counter = collection<bigint>(`${moduleName}/next`);
  const next = (reader: Reader) => reader.get(counter, '') ?? 1n;
  return {
    next,
    take(state) {
      const id = next(state);
      state.set(counter, '', id + 1n);
      return id;
    },
    set: (state, value) => state.set(counter, '', value),
  };
}

export interface Deadlines {
  add(state: State, timeNs: bigint, id: bigint): void;
  remove(state: State, timeNs: bigint, id: bigint): void;
  /** Those whose time has come (block time ≥ theirs), in the order of ids. */
  due(reader: Reader, timeNs: bigint): bigint[];
}

/** Ids by the time at which they end, so that a block looks at those that are due alone. */
export function deadlines(moduleName: string): Deadlines {
  const index = collection<bigint>(`${moduleName}/deadlines`);
  const key = (timeNs: bigint, id: bigint) => `${timeKey(timeNs)}/${numberKey(id)}`;
  return {
    add: (state, timeNs, id) => state.set(index, key(timeNs, id), id),
    remove: (state, timeNs, id) => state.delete(index, key(timeNs, id)),
    due(reader, timeNs) {
      const now = timeKey(timeNs);
      const ids: bigint[] = [];
      for (const [at, id] of reader.entries(index)) {
        if (at.slice(0, TIME_DIGITS) > now) break;
        ids.push(id);
      }
      return ids.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    },
  };
}

function timeKey(timeNs: bigint): string {
  return String(timeNs).padStart(TIME_DIGITS, '0');
}
