import { LRUCache } from 'lru-cache';
import type { HttpAnswer } from './answer.ts';

/** Answers by request, bounded in bytes. An answer of the head counts for one indexed height only. */
export interface AnswerCache {
  get(request: string, indexedHeight: number): HttpAnswer | undefined;
  /** `settled`: no later block can change the answer, so it counts at every height. */
  set(request: string, indexedHeight: number, answer: HttpAnswer, settled: boolean): void;
}

/** What an entry costs besides its body and key. */
const ENTRY_OVERHEAD_BYTES = 500;
/** One page of heavy txs may not push out everything else. */
const LARGEST_ENTRY_SHARE = 8;

export function createAnswerCache(maxBytes: number): AnswerCache {
  const entries = new LRUCache<string, { readonly height: number | 'any'; readonly answer: HttpAnswer }>({
    maxSize: maxBytes,
    maxEntrySize: Math.max(1, Math.floor(maxBytes / LARGEST_ENTRY_SHARE)),
    sizeCalculation: ({ answer }, key) => answer.body.length + key.length * 2 + ENTRY_OVERHEAD_BYTES,
  });
  return {
    get: (request, indexedHeight) => {
      const entry = entries.get(request);
      if (entry === undefined) return undefined;
      return entry.height === 'any' || entry.height === indexedHeight ? entry.answer : undefined;
    },
    set: (request, indexedHeight, answer, settled) => {
      entries.set(request, { height: settled ? 'any' : indexedHeight, answer });
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
