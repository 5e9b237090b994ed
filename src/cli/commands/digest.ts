import { rangeDigests } from '../../store/digests.ts';
import type { DigestOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { withStores } from '../stores.ts';

/** strata digest: a line `from to sha256` per 1,000 heights and, last, one for the whole store. */
export async function digest(options: DigestOptions, { print }: CommandContext): Promise<void> {
  await withStores(options.store, async (stores) => {
    const store = await stores.open('digest');
    for await (const { fromHeight, toHeight, sha256 } of rangeDigests(store)) {
      print(`${fromHeight} ${toHeight} ${sha256}`);
    }
  });
}
