import { walkHeight } from '../../../api/as-of.ts';
import { heightField, type KeyField } from '../../../api/cursor-fields.ts';
import { parseLimit } from '../../../api/params.ts';
import type { RouteContext, RouteRequest } from '../../../api/route.ts';
import type { Page } from '../gov-read.ts';

/** A page of a list, and how its answer ends. Every page of a walk is as of the first one's height. */
export interface ListPage<Position> extends Page<Position> {
  /** Of the rows that were found, those that the page shows. `limit` has room for one more than those. */
  shown<Row>(found: readonly Row[]): readonly Row[];
  /** The value of `next_cursor` as JSON. */
  next<Row>(found: readonly Row[], positionOf: (row: Row) => Position): string;
}

/** `scope`: whatever else the list depends on. Errors: bad_request; internal as walkHeight. */
export function listPage<Position extends string | bigint>(
  { query }: RouteRequest,
  { snapshot, cursors }: RouteContext,
  scope: readonly string[],
  position: KeyField<Position>,
): ListPage<Position> {
  const size = parseLimit(query.get('limit'));
  const cursor = query.get('cursor');
  const [at, after] =
    cursor === undefined
      ? [snapshot.indexedHeight, undefined]
      : cursors.decodeKey(scope, cursor, [heightField, position] as const);
  const height = walkHeight(snapshot, at);
  return {
    height,
    after,
    limit: size + 1,
    shown: (found) => found.slice(0, size),
    next(found, positionOf) {
      const last = found.length > size ? found[size - 1] : undefined;
      const key = last && cursors.encodeKey(scope, [String(height), String(positionOf(last))]);
      return JSON.stringify(key ?? null);
    },
  };
}
