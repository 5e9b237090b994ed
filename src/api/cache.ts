import { LRUCache } from 'lru-cache';
import { type Resource, resourceBytes } from './resource.ts';

/** Answers by request, bounded in bytes. An answer of the head counts for one state of the index only (stateKey). */
export interface AnswerCache {
  get(request: string, state: string): Resource | undefined;
  /** `settled`: no later block can change the answer, so it counts at every height. */
  set(request: string, state: string, answer: Resource, settled: boolean): void;
  /** The answer holds more bytes now (a compressed form): what is kept is weighed again. */
  grew(request: string, answer: Resource): void;
}

/** What an entry costs besides its body and key. */
const ENTRY_OVERHEAD_BYTES = 500;
/** One page of heavy txs may not push out everything else. */
const LARGEST_ENTRY_SHARE = 8;
const ANY_STATE = 'any';

export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new LRUCache<string, { readonly state: string; readonly answer: Resource }>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_ENTRY_SHARE)),
    sizeCalculation: ({ answer }, key) => resourceBytes(answer) + key.length * 2 + ENTRY_OVERHEAD_BYTES,
  });
  return {
    get: (request, state) => {
      const entry = entries.get(request);
      if (entry === undefined) return undefined;
      return entry.state === ANY_STATE || entry.state === state ? entry.answer : undefined;
    },
    set: (request, state, answer, settled) => {
      entries.set(request, { state: settled ? ANY_STATE : state, answer });
    },
    grew: (request, answer) => {
      const entry = entries.peek(request);
      // set under its key again, as a new entry, since a size is taken when an entry is set
      if (entry?.answer === answer) entries.set(request, { ...entry });
    },
  };
}

/** Equal work in flight is done once: callers with an equal key share one promise. */
export function createCoalescer<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  const inFlight = new Map<string, Promise<T>>();
  return (key, work) => {
    const running = inFlight.get(key);
    if (running !== undefined) return running;
    const promise = work().finally(() => inFlight.delete(key));
    inFlight.set(key, promise);
    return promise;
  };
}
