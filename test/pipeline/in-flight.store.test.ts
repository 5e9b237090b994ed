import { describe, expect, it } from 'vitest';
import type { InFlight } from '../../src/pipeline/indexing.ts';
import { indexInto, recordedSource, withFreshStore } from '../support/indexing.ts';

/** What an indexing run tells of its queue. */

describe('a run in flight', () => {
  it('counts its bytes under their limit and its ranges, and nothing at the end', async () => {
    await withFreshStore(async (stores) => {
      const source = await recordedSource();
      const seen: InFlight[] = [];
      let inFlight = (): InFlight => ({ bytes: 0, limitBytes: 0, ranges: 0 });
      await indexInto(stores, {
        source: {
          ...source,
          fetch: async (from, to, signal) => {
            seen.push(inFlight());
            return source.fetch(from, to, signal);
          },
        },
        toHeight: 200,
        rangeBlocks: 10,
        memoryBytes: 8_000_000,
        onOpen: (indexing) => {
          expect(indexing.position).toBeUndefined();
          inFlight = () => indexing.inFlight();
        },
        onCommit: () => seen.push(inFlight()),
      });
      await source.close();
      expect(Math.max(...seen.map(({ ranges }) => ranges))).toBeGreaterThan(1);
      expect(Math.max(...seen.map(({ bytes }) => bytes))).toBeGreaterThan(0);
      expect(inFlight()).toEqual({ bytes: 0, limitBytes: 8_000_000, ranges: 0 });
      await indexInto(stores, {
        toHeight: 201,
        onOpen: ({ position }) => expect(position).toMatchObject({ height: 200, firstHeight: 1 }),
      });
    });
  });
});
