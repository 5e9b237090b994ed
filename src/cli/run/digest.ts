import type { CommandContext } from 'strata-kit/cli/context';
import type { StoreChoice } from '../../core/store-choice.ts';
import { deepDigests } from '../../store/deep-digests.ts';
import { rangeDigests } from '../../store/digests.ts';
import { checkReadable } from '../../store/migrations.ts';
import type { StoreFactory } from '../../store/store.ts';
import { withStores } from '../stores.ts';

export interface DigestOptions {
  readonly store: StoreChoice;
  /** Over the rows as they are. */
  readonly deep: boolean;
}

/**
 * strata digest: a line `from to sha256` per 1,000 heights and, last, one for the whole store. With --deep over the rows
 * as they stand: lines of its own, to be compared with those of another --deep.
 */
export async function digest(options: DigestOptions, { print }: CommandContext): Promise<void> {
  const printDigests = async (stores: StoreFactory): Promise<void> => {
    const store = await stores.open('digest');
    await checkReadable(store, stores.name);
    const digests = options.deep ? deepDigests(store) : rangeDigests(store);
    for await (const { fromHeight, toHeight, sha256 } of digests) {
      print(`${fromHeight} ${toHeight} ${sha256}`);
    }
  };
  await withStores(options.store, printDigests, { mustExist: true });
}
