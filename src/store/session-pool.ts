import type { Store, StoreFactory } from './store.ts';

/**
 * A Store over `size` sessions: a statement goes to the one with the fewest statements, the first of several. So statements
 * that are awaited one by one all run on the first session, and those that are not run side by side.
 * Errors: those of StoreFactory.open.
 */
export async function openSessionPool(stores: StoreFactory, name: string, size: number): Promise<Store> {
  const sessions: { readonly store: Store; statements: number }[] = [];
  const closeAll = async (): Promise<void> => {
    await Promise.all(sessions.map(({ store }) => store.close()));
  };
  try {
    while (sessions.length < size) {
      const store = await stores.open(sessions.length === 0 ? name : `${name}-${sessions.length + 1}`);
      sessions.push({ store, statements: 0 });
    }
  } catch (error) {
    await closeAll();
    throw error;
  }
  const run = async <T>(statement: (store: Store) => Promise<T>): Promise<T> => {
    const session = sessions.reduce((least, each) => (each.statements < least.statements ? each : least));
    session.statements++;
    try {
      return await statement(session.store);
    } finally {
      session.statements--;
    }
  };
  return {
    name,
    query: (sql, options) => run((store) => store.query(sql, options)),
    command: (sql) => run((store) => store.command(sql)),
    insertNativeFiles: (table, columns, paths) =>
      run((store) => store.insertNativeFiles(table, columns, paths)),
    close: closeAll,
  };
}
