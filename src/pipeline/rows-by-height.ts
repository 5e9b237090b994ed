import { heightsBetween } from './stored-rows.ts';

export interface RowsByHeight<T> {
  /** All rows up to here are there. */
  readonly toHeight: number;
  readonly byHeight: ReadonlyMap<number, T[]>;
}

type ReadRows<T> = (heights: string, limit: number | undefined) => Promise<readonly (readonly [number, T])[]>;

/** Rows above a height, up to `wanted` or as many whole heights as hold `maxRows`; one height at least. */
export async function readUpTo<T>(
  fromHeight: number,
  wanted: number,
  maxRows: number,
  read: ReadRows<T>,
): Promise<RowsByHeight<T>> {
  let rows = await read(heightsBetween(fromHeight, wanted), maxRows + 1);
  let toHeight = wanted;
  if (rows.length > maxRows) {
    // the last height may be cut
    const [cut = wanted] = rows.at(-1) ?? [];
    toHeight = cut - 1;
    if (toHeight <= fromHeight) {
      toHeight = fromHeight + 1;
      rows = await read(heightsBetween(fromHeight, toHeight), undefined);
    }
  }
  const byHeight = new Map<number, T[]>();
  for (const [height, row] of rows) {
    if (height > toHeight) break;
    const others = byHeight.get(height);
    if (others === undefined) byHeight.set(height, [row]);
    else others.push(row);
  }
  return { toHeight, byHeight };
}
