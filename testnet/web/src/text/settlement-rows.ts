import type { Settlement } from '../../../../clients/ts/src/client.ts';

/**
 * A shown row as it is by now, given the newest first page of the same list: rows do not move under the reader, but they
 * tell the truth. `left`: it is newer than the page's last row but not on it, so its status has left the filter.
 */
export function rowNow(
  shown: Settlement,
  newest: readonly Settlement[] | undefined,
): { readonly row: Settlement; readonly hasLeft: boolean } {
  const row = newest?.find(({ id }) => id === shown.id);
  if (row !== undefined) return { row, hasLeft: false };
  const last = newest?.at(-1);
  return { row: shown, hasLeft: newest !== undefined && (last === undefined || shown.id > last.id) };
}
