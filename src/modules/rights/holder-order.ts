import type { RollUp, RollUpStatement } from '../../derive/derivation.ts';
import { identifier, uintLiteral } from '../../store/sql.ts';
import { HOLDER_ORDER, HOLDER_ORDER_SUMS } from './tables.ts';

/**
 * The order of a kind's holders by units, which changes with every movement (HOLDER_ORDER): a position that changes
 * leaves its place (sign −1) and takes another (sign 1), and what adds up to 1 is a holder's place as of a height.
 *
 * A holder that changes in every block would fill the places of the first page with what has gone. So changes are added
 * up over ranges of heights (HOLDER_ORDER_SUMS), of which a holder has two rows each, one for the place at the range's
 * beginning and one for that at its end; ranges of a span are added up again to those of the next. The order as of a
 * height is the widest ranges up to it, then narrower ones, then the changes behind the last: rows of a bucket, each of
 * which holds what one range of the next span is made of.
 */

/** Heights in a range of each span; each is a multiple of the one before. */
export const SPANS = [64, 4_096, 262_144] as const;

/** Which bucket a height's changes stand in: those of one range of the narrowest span. */
export function bucketOf(height: number): number {
  return rangeOf(height, SPANS[0]);
}

/** The number of the range that holds a height. */
function rangeOf(height: number, span: number): number {
  return Math.floor((height - 1) / span);
}

/** The last height up to which ranges of a span are complete at a height. */
function completeUpTo(height: number, span: number): number {
  return height - (height % span);
}

const COLUMNS = 'bucket, asset_id, kind_id, neg, holder, sign, height';
const INSERT_SETTINGS =
  'SETTINGS async_insert = 0, insert_deduplicate = 0, max_threads = 1, max_insert_threads = 1, ' +
  // the rows of a place stand beside each other
  'optimize_aggregation_in_order = 1';

export const HOLDER_ORDER_ROLL_UP: RollUp = {
  table: HOLDER_ORDER_SUMS,
  statements: (generation, fromHeight, toHeight) =>
    SPANS.flatMap((span, level): RollUpStatement[] => {
      const from = completeUpTo(fromHeight, span);
      const to = completeUpTo(toHeight, span);
      if (from === to) return [];
      const ofGeneration = `generation = ${uintLiteral(generation)}`;
      const narrower = SPANS[level - 1];
      const source =
        narrower === undefined
          ? `${identifier(HOLDER_ORDER.name)} WHERE ${ofGeneration}`
          : `${identifier(HOLDER_ORDER_SUMS.name)} WHERE ${ofGeneration} AND span = ${uintLiteral(narrower)}`;
      const last = `(bucket + 1) * ${uintLiteral(span)}`;
      const ranges = `bucket >= ${uintLiteral(from / span)} AND bucket < ${uintLiteral(to / span)}`;
      return [
        {
          insert: `INSERT INTO ${identifier(HOLDER_ORDER_SUMS.name)} (generation, span, ${COLUMNS})
${INSERT_SETTINGS}
SELECT ${uintLiteral(generation)}, ${uintLiteral(span)}, ${bucketOfRange(last, level)}, asset_id, kind_id, neg, holder, sum(sign) AS net, ${last}
FROM ${source} AND ${ranges} GROUP BY bucket, asset_id, kind_id, neg, holder HAVING net != 0`,
          added:
            `${ofGeneration} AND span = ${uintLiteral(span)} AND bucket >= ${bucketOfRange(uintLiteral(from + 1), level)} ` +
            `AND height > ${uintLiteral(from)} AND height <= ${uintLiteral(to)}`,
        },
      ];
    }),
};

/** As SQL: the bucket of a range by a height of it; the widest stand in one. */
function bucketOfRange(height: string, level: number): string {
  const wider = SPANS[level + 1];
  return wider === undefined ? '0' : `intDiv(${height} - 1, ${uintLiteral(wider)})`;
}

/** Where the rows stand that make up the order as of a height, as conditions on one table each. */
export function orderSources(height: number): readonly { readonly table: string; readonly where: string }[] {
  const sources: { table: string; where: string }[] = [];
  let end = height;
  for (const [level, span] of SPANS.entries()) {
    const complete = completeUpTo(height, span);
    // rows behind the last complete range of this span, up to that of the one below
    if (complete < end) {
      const bucket = uintLiteral(rangeOf(end, span));
      const below = SPANS[level - 1];
      sources.push({
        table: (below === undefined ? HOLDER_ORDER : HOLDER_ORDER_SUMS).name,
        where:
          `${below === undefined ? '' : `span = ${uintLiteral(below)} AND `}bucket = ${bucket} AND ` +
          `height <= ${uintLiteral(end)}`,
      });
    }
    end = complete;
  }
  if (end > 0) {
    const widest = SPANS[SPANS.length - 1] ?? 0;
    sources.push({
      table: HOLDER_ORDER_SUMS.name,
      where: `span = ${uintLiteral(widest)} AND bucket = 0 AND height <= ${uintLiteral(end)}`,
    });
  }
  return sources;
}
