/**
 * The order of a kind's holders by units, which changes with every movement (HOLDER_ORDER): a position that changes
 * leaves its place (sign −1) and takes another (sign 1), so that what adds up to 1 is a holder's place as of a height.
 */

/** The changes themselves. */
export const CHANGES_SPAN = 1;

/** The changes of a range of so many heights stand beside each other. */
export const CHANGES_BUCKET = 64;

/** Which bucket a height's changes stand in. */
export function bucketOf(height: number, bucketHeights: number): number {
  return Math.floor((height - 1) / bucketHeights);
}
