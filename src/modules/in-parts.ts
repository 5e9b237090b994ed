/** 1,000 asset ids are 68 kB of SQL text; the engine takes 262 kB (max_query_size). */
const PART = 1_000;

/**
 * Reads rows by the ids of an IN list that anybody may make long (locks on a holder's units, assets sent to an account), in
 * as many statements as it takes, one after the other. No ids: no statement.
 */
export async function inParts<Id, Row>(
  ids: readonly Id[],
  read: (part: readonly Id[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < ids.length; at += PART) {
    for (const row of await read(ids.slice(at, at + PART))) rows.push(row);
  }
  return rows;
}
