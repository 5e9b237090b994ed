import { useMemo } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { useAnswer } from './answers.ts';
import { historyEntry } from './entry.ts';
import { type Asked, queries } from './queries.ts';

/** One page of a list of `/v1`. */
export interface ListPage {
  readonly next_cursor: string | null;
}

/** A list whose page stands in the URL (`?cursor=`), as it was when it was opened. */
export interface List<P> extends Asked<P> {
  readonly isFirst: boolean;
  /** Rows that came on top since; 0 on later pages. `limit` where there are at least as many as a page holds. */
  readonly newCount: number;
  /** Puts them on top. */
  showNew(): void;
  /** The first page as it is now, while the first page is shown: for what changes of rows that stay where they are. */
  readonly newest: P | undefined;
}

const NEWEST_MS = 3_000;

/**
 * `load` gets the cursor of the URL. `idsOf` names the rows of a page, newest first; without it nobody looks for new ones.
 * Rows never move under the reader: new ones are counted, and shown when asked for.
 */
export function useList<P extends ListPage>(
  key: readonly unknown[],
  load: (cursor: string | undefined) => Promise<P>,
  idsOf?: (page: P) => readonly (string | number)[],
): List<P> {
  const { query, url } = useLocation();
  // who goes back finds the page as it was, who comes anew the newest
  const entry = useMemo(historyEntry, [url]);
  const cursor = query.cursor;
  const isFirst = cursor === undefined;
  const shownKey = [...key, 'shown', cursor, entry];
  const shown = useAnswer(shownKey, () => load(cursor), { staysAsItIs: true });
  const newest = useAnswer([...key, 'newest'], () => load(undefined), {
    everyMs: NEWEST_MS,
    enabled: isFirst && idsOf !== undefined && shown.data !== undefined,
  });
  const newCount =
    isFirst && idsOf !== undefined && shown.data !== undefined && newest.data !== undefined
      ? countNew(idsOf(shown.data), idsOf(newest.data))
      : 0;
  return {
    ...shown,
    isFirst,
    newCount,
    newest: isFirst ? newest.data : undefined,
    showNew: () => queries.setQueryData(shownKey, newest.data),
  };
}

function countNew(shown: readonly (string | number)[], newest: readonly (string | number)[]): number {
  const known = new Set(shown);
  const at = newest.findIndex((id) => known.has(id));
  return at < 0 ? newest.length : at;
}
