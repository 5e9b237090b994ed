import { expect } from 'vitest';
import type { RecordedApi } from '../recorded-api.ts';
import type { Json } from './history.ts';

/** A list of the API that is walked by its cursors. */
export interface List {
  /** With its filters. */
  readonly target: string;
  /** The array's name in the answer. */
  readonly name: string;
}

export function withQuery(target: string, query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? target : `${target}${target.includes('?') ? '&' : '?'}${pairs.join('&')}`;
}

export async function page(
  api: RecordedApi,
  { target, name }: List,
  limit: number,
  cursor?: string,
): Promise<{ readonly rows: readonly Json[]; readonly next: string | null }> {
  const answer = await api.get<Json>(
    withQuery(target, { limit, ...(cursor === undefined ? {} : { cursor }) }),
  );
  const rows = answer[name] as readonly Json[];
  expect(rows.length, `${target} ${limit}`).toBeLessThanOrEqual(limit);
  if (answer.next_cursor !== null) expect(rows.length, `${target}: a page before the last`).toBe(limit);
  return { rows, next: answer.next_cursor as string | null };
}

/** Every row, page after page; `between` runs after each page but the last. */
export async function walk(
  api: RecordedApi,
  list: List,
  limit: number,
  between: () => Promise<void> = async () => {},
): Promise<Json[]> {
  const rows: Json[] = [];
  let cursor: string | undefined;
  for (;;) {
    const { rows: found, next } = await page(api, list, limit, cursor);
    rows.push(...found);
    if (next === null) return rows;
    cursor = next;
    await between();
  }
}
