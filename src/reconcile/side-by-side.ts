/** Queries that a node is asked at once. */
const AT_ONCE = 4;

/** Works on all items, a few at a time; results in the items' order. The first failure ends it. */
export async function sideBySide<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = new Array(items.length);
  const queue = items.entries();
  let isFailed = false;
  const drain = async (): Promise<void> => {
    for (const [index, item] of queue) {
      if (isFailed) return;
      try {
        results[index] = await work(item);
      } catch (error) {
        isFailed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, drain));
  return results;
}
