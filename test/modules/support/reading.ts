import type { RouteContext } from '../../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../../src/api/rows.ts';
import { MODULES } from '../../../src/modules/modules.ts';
import type { IndexedDevnet } from '../../support/devnet-index.ts';

/** What read functions take, as of any height of an indexed chain. */
export async function readingAt(
  { api }: IndexedDevnet,
  height: number,
): Promise<Pick<RouteContext, 'snapshot' | 'query'>> {
  const store = await api.stores.open(`a reader at ${height}`);
  const generations = new Map(MODULES.map(({ name }) => [name, 1]));
  return {
    snapshot: { ...EMPTY_SNAPSHOT, indexedHeight: height, generations },
    query: (sql) => store.query(sql, { timeoutSeconds: 60 }),
  };
}
