import { tablesOf } from '../../src/modules/load.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { migrate } from '../../src/store/migrations.ts';
import { prepareModuleTables } from '../../src/store/module-tables.ts';
import { copyTemplate } from './templates.ts';

/** A store with every table and view of Strata and no row, in a folder that does not exist: 170 statements that are not run. */
export async function copyEmptyStore(folder: string): Promise<void> {
  await copyTemplate('empty', folder, async (made) => {
    const stores = await openEmbedded({ folder: made });
    const store = await stores.open('template');
    await migrate(store);
    await prepareModuleTables(store, tablesOf(MODULES));
    await stores.close();
  });
}
