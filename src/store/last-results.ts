import { writeFacts } from './facts.ts';
import type { Store } from './store.ts';

/**
 * What the block above a commit's last one must name, upper-case hex; empty where it is not known. It is a fact beside
 * the checkpoint and not a column of it: no other reader needs it, and none of older commits.
 */
export interface LastResults {
  readonly height: number;
  readonly resultsHash: string;
  readonly resultsAppHash: string;
}

export const LAST_RESULTS_FACT = 'last_results';

/**
 * Before the checkpoint, which may then not come: so those of the commit before stay with them.
 * One line each, the newest first: `height resultsHash resultsAppHash`.
 */
export function writeLastResults(
  store: Store,
  newest: LastResults,
  before: LastResults | undefined,
): Promise<void> {
  const lines = [newest, ...(before === undefined ? [] : [before])].map(
    ({ height, resultsHash, resultsAppHash }) => `${height} ${resultsHash} ${resultsAppHash}`,
  );
  return writeFacts(store, new Map([[LAST_RESULTS_FACT, lines.join('\n')]]));
}

/** Those of the block at this height; undefined where the store does not have them. */
export function lastResultsAt(facts: ReadonlyMap<string, string>, height: number): LastResults | undefined {
  for (const line of (facts.get(LAST_RESULTS_FACT) ?? '').split('\n')) {
    const [ofHeight, resultsHash = '', resultsAppHash = ''] = line.split(' ');
    if (ofHeight === String(height)) return { height, resultsHash, resultsAppHash };
  }
  return undefined;
}
