import type { Collection, Reader } from './state.ts';

/** The state at one height as it is stored: texts by collection and key. It crosses thread boundaries; a Reader decodes it. */
export interface Texts {
  get(collection: string, key: string): string | undefined;
  /**
   * Keys that begin with `prefix`, in their order; with `after`, only those that follow that key. Undefined for a record
   * that is not there at this height but at another: these count too where the work is bounded.
   */
  entries(
    collection: string,
    prefix: string,
    after?: string,
  ): Iterable<readonly [key: string, text: string | undefined]>;
}

export function readerOf(texts: Texts): Reader {
  return {
    get<V>(collection: Collection<V>, key: string) {
      const text = texts.get(collection.name, key);
      return text === undefined ? undefined : collection.decode(text);
    },
    *entries<V>(collection: Collection<V>, prefix = '') {
      for (const [key, text] of texts.entries(collection.name, prefix))
        if (text !== undefined) yield [key, collection.decode(text)] as const;
    },
  };
}
