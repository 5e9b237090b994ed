/** Whether the pages that are open are those that the app serves now. */

/** Waits before each look whether the app answers. */
const WAITS_MS = [500, 1_000, 2_000, 4_000];
const PATIENCE_MS = 5_000;

/** The script that starts the pages; a build names it by what it and all chunks hold. */
const ENTRY = 'script[type="module"][src]';

export function openBuild(): string {
  return entryOf(document) ?? '';
}

/** The build that the app serves now; undefined where it did not answer in four tries. */
export async function servedBuild(signal: AbortSignal): Promise<string | undefined> {
  for (const waitMs of WAITS_MS) {
    await pause(waitMs, signal);
    const entry = await askEntry(signal);
    if (entry !== undefined || signal.aborted) return entry;
  }
  return undefined;
}

async function askEntry(signal: AbortSignal): Promise<string | undefined> {
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const answer = await fetch('/', { cache: 'no-store', signal: within });
    if (!answer.ok) return undefined;
    return entryOf(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // no answer: the next try, or the page, says so
    return undefined;
  }
}

function entryOf(of: Document): string | undefined {
  return of.querySelector(ENTRY)?.getAttribute('src') ?? undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
