import type { CommandContext } from 'strata-kit/cli/context';
import type { StoreChoice } from '../../core/store-choice.ts';
import { migrate } from '../../store/migrations.ts';
import { recoverStore, rewindStore } from '../../store/recovery.ts';
import { waitForWriters } from '../../store/writers.ts';
import { withStores } from '../stores.ts';

export interface RewindOptions {
  readonly store: StoreChoice;
  /** The newest that may stay. */
  readonly toHeight: number;
}

/**
 * strata rewind: the store as it was after an older commit, for a run that says that its newest blocks are not the
 * chain's. Prints the height at which it ends now.
 */
export async function rewind(
  { store: choice, toHeight }: RewindOptions,
  { print, log }: CommandContext,
): Promise<void> {
  const rewound = await withStores(
    choice,
    async (stores) => {
      const store = await stores.open('rewind');
      await waitForWriters(store);
      await migrate(store);
      await recoverStore(store);
      return rewindStore(store, toHeight);
    },
    { mustExist: true },
  );
  const { checkpoint, deletedRows } = rewound;
  log.info(`the store ends at height ${checkpoint.height}; ${deletedRows} rows above it are gone`);
  print(`${checkpoint.height}`);
}
