/** Asks for one key; see `createGather`. */
export type Gather<V> = (key: string) => Promise<V | undefined>;

/**
 * Keys that are asked for in one turn of the page go out as one question, of `most` keys at most. A key that the answer
 * does not name is undefined. Errors: those of `ask`, for each key of the question.
 */
export function createGather<V>(
  most: number,
  ask: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
): Gather<V> {
  interface Question {
    readonly keys: Set<string>;
    readonly answer: Promise<ReadonlyMap<string, V>>;
  }
  let open: Question | undefined;

  const begin = (): Question => {
    const keys = new Set<string>();
    const question: Question = {
      keys,
      answer: new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => {
        if (open === question) open = undefined;
        return ask([...keys]);
      }),
    };
    return question;
  };

  return async (key) => {
    if (open === undefined || (open.keys.size >= most && !open.keys.has(key))) open = begin();
    open.keys.add(key);
    return (await open.answer).get(key);
  };
}
