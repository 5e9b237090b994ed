import { statfs } from 'node:fs/promises';
import { StrataError } from 'strata-kit/errors';

/** Below this nothing that the engine does at its start finds room. */
const NO_ROOM_BYTES = 1_000_000;

/** Whether an error says that a disk, or the share of it that may be used, is full: Node's, or the engine's text. */
export function isDiskFull(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === 'ENOSPC' || code === 'EDQUOT') return true;
  const text = error instanceof Error ? error.message : String(error);
  return /No space left on device|Disk quota exceeded|NOT_ENOUGH_SPACE|Cannot reserve .* not enough space/i.test(
    text,
  );
}

/** disk_full, else store_query_failed: files for an insert that cannot be written. */
export function spoolFailed(error: unknown): StrataError {
  const reason = error instanceof Error ? error.message : String(error);
  const code = isDiskFull(error) ? 'disk_full' : 'store_query_failed';
  return new StrataError(code, `the files of an insert cannot be written: ${reason}`, { cause: error });
}

/** For an engine that fails without a reason. */
export async function hasNoRoom(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize < NO_ROOM_BYTES;
}
