import { StrataError } from 'strata-kit/errors';
import { withFolderLock } from 'strata-kit/folder-lock';

/** Runs an indexing that has the folder of --keep-raw for itself. Errors: store_in_use, config_invalid, those of `work`. */
export async function withRawFolder(folder: string | undefined, work: () => Promise<void>): Promise<void> {
  if (folder === undefined) return work();
  const refusals = {
    held: (who: string) =>
      new StrataError(
        'store_in_use',
        `The folder ${folder} of --keep-raw is in use by ${who}. Stop it, or give another folder`,
      ),
    unusable: (reason: string, cause: unknown) =>
      new StrataError('config_invalid', `The folder ${folder} of --keep-raw cannot be used: ${reason}`, {
        cause,
      }),
  };
  await withFolderLock(folder, refusals, work);
}
