import { stat } from 'node:fs/promises';

/** Files that the engine writes for the front. */

const LOOK_EVERY_MS = 50;

/** Bytes of a file; 0 for one that is not there. */
export async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

/** Waits for `writing` and calls `onExceeded`, once, when the file has become larger than `maxBytes`. */
export async function boundFile<T>(
  path: string,
  maxBytes: number,
  onExceeded: (error?: unknown) => void,
  writing: Promise<T>,
): Promise<T> {
  let done = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    try {
      if ((await sizeOf(path)) > maxBytes) return onExceeded();
    } catch (error) {
      return onExceeded(error);
    }
    if (!done) timer = setTimeout(() => void look(), LOOK_EVERY_MS);
  };
  void look();
  try {
    return await writing;
  } finally {
    done = true;
    clearTimeout(timer);
  }
}
