import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { z } from 'zod';
import { AppError } from '../errors.ts';
import type { Indexer } from '../indexer.ts';
import { WHATS, type What, whatOf } from '../what.ts';

/** A block as the overview draws it: its txs by what happened in them. */
export type Layer = { readonly height: number; readonly time: string } & Readonly<Record<What, number>>;

/** Of one answer; what the overview shows. */
export const MAX_LAYERS = 120;
/** Some hours of blocks; a layer is some hundred bytes. */
const KEPT = 20_000;
/** Blocks asked of the indexer at once, and waiting for it. */
const AT_ONCE = 4;
const MAX_WAITING = 2_000;

const STATUS = z.object({ indexed_height: z.number() });
const BLOCK = z.object({
  block: z.object({ time: z.string() }),
  txs: z.array(
    z.object({
      code: z.number(),
      evm: z.object({ status: z.number() }).nullable(),
      msgs: z.array(z.looseObject({ '@type': z.unknown() })),
    }),
  ),
});

export interface Layers {
  /** Above `after`, the newest `MAX_LAYERS` at most, newest first. Errors: AppError unavailable. */
  newest(after: number): Promise<readonly Layer[]>;
}

/** Blocks never change, so that each is read once, by whoever comes first. */
export function createLayers(indexer: Indexer, namespace: string): Layers {
  const kept = new LRUCache<number, Promise<Layer | undefined>>({ max: KEPT });
  const queue = new PQueue({ concurrency: AT_ONCE });

  async function read(height: number): Promise<Layer | undefined> {
    const answer = await indexer.get(`/v1/blocks/${height}`);
    // an indexer that began late does not have the first ones
    if (answer === undefined) return undefined;
    const told = BLOCK.safeParse(answer);
    if (!told.success) throw new AppError('unavailable', `the indexer does not tell block ${height}`);
    const counts = Object.fromEntries(WHATS.map((what) => [what, 0])) as Record<What, number>;
    for (const tx of told.data.txs) counts[whatOf(tx, namespace)]++;
    return { height, time: told.data.block.time, ...counts };
  }

  function layer(height: number): Promise<Layer | undefined> {
    const known = kept.get(height);
    if (known !== undefined) return known;
    if (queue.size > MAX_WAITING) throw new AppError('unavailable', 'too many blocks are asked for');
    const asked = queue.add(() => read(height));
    // what failed is asked again by the next who comes
    asked.catch(() => kept.delete(height));
    kept.set(height, asked);
    return asked;
  }

  return {
    async newest(after) {
      const told = STATUS.safeParse(await indexer.get('/v1/status'));
      if (!told.success) throw new AppError('unavailable', 'the indexer does not tell its height');
      const to = told.data.indexed_height;
      const from = Math.max(1, after + 1, to - MAX_LAYERS + 1);
      const heights = Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => to - i);
      const found = await Promise.all(heights.map(layer));
      return found.filter((each) => each !== undefined);
    },
  };
}
