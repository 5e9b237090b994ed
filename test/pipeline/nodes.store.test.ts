import { parseFaults } from 'strata-kit/rpc/faults/names';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BlockSource } from '../../src/chain/source.ts';
import { digestLines, digestOf, indexInto, recordedSource, withFreshStore } from '../support/indexing.ts';
import { withNodes } from '../support/nodes.ts';
import { recordedBlocks } from '../support/oracle.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { changedSource } from '../support/sources.ts';

/** Nodes that answer wrongly for a while, and blocks that are out of all proportion. */

const TO_HEIGHT = 80;
/** What parent hashes alone find, as on a chain whose blocks cannot be held against their own hashes. */
const RUN = { toHeight: TO_HEIGHT, rangeBlocks: 20, workers: 1, verify: 'never' } as const;
const OTHER_HASH = 'CD'.repeat(32);

let reference: readonly string[];
beforeAll(async () => {
  reference = await recordedDigest(TO_HEIGHT);
});

function hashOf(height: number): string {
  const hash = recordedBlocks()[height - 1]?.block.block_id.hash;
  if (hash === undefined) throw new Error(`height ${height} is not recorded`);
  return hash;
}

interface Fault {
  readonly change: (answer: string) => string;
  /** How often it was told. */
  told(): number;
}

/** Another hash in place of the right one, in the first `times` answers that have it. */
function wrongHash(member: 'block_id' | 'last_block_id', height: number, times: number): Fault {
  const right = `"${member}":{"hash":"${hashOf(height)}"`;
  let told = 0;
  return {
    change: (answer) => {
      if (told === times || !answer.includes(right)) return answer;
      told++;
      return answer.replace(right, `"${member}":{"hash":"${OTHER_HASH}"`);
    },
    told: () => told,
  };
}

describe('a node that serves a wrong block', () => {
  it('for a moment, wherever in a range, is asked again', async () => {
    // ranges are 1 to 5, then 20 blocks each: the very first, a last, a first, and one inside, each in a range of its own
    const faults = [1, 25, 46, 75].map((height) => wrongHash('block_id', height, 2));
    const change = (answer: string) => faults.reduce((text, fault) => fault.change(text), answer);
    const digest = await withNodes([{ change }], (source) => digestOf({ ...RUN, source }));
    expect(digest).toEqual(reference);
    expect(faults.map((fault) => fault.told())).toEqual([2, 2, 2, 2]);
  });

  it('all the time is left for another node', async () => {
    const fault = wrongHash('block_id', 30, 1_000);
    const digest = await withNodes([fault, {}], (source) => digestOf({ ...RUN, source }));
    expect(digest).toEqual(reference);
  });

  it('all the time, and is alone, stops the run with the height', async () => {
    const fault = wrongHash('block_id', 30, 1_000);
    const run = withNodes([fault], (source) => digestOf({ ...RUN, source }));
    await expect(run).rejects.toMatchObject({ code: 'parent_mismatch', height: 31 });
  });

  it('at the head, whose parent is another, is asked again', async () => {
    const fault = wrongHash('last_block_id', 12, 2);
    const digest = await withNodes([{ ...fault, paceMs: 50 }], (source) =>
      digestOf({ toHeight: 20, source, verify: 'never' }),
    );
    expect(fault.told()).toBe(2);
    expect(digest).toEqual(await recordedDigest(20));
  });
});

describe('a store of one chain', () => {
  it('is filled from the node of its chain, whichever comes first', async () => {
    const foreign = { faults: { chances: parseFaults(['foreign']), seed: 1 } };
    await withFreshStore(async (stores) => {
      await indexInto(stores, { toHeight: 10 });
      await withNodes([foreign, {}], (source) => indexInto(stores, { ...RUN, toHeight: 20, source }));
      expect(await digestLines(stores)).toEqual(await recordedDigest(20));
      const alone = withNodes([foreign], (source) => indexInto(stores, { ...RUN, toHeight: 25, source }));
      await expect(alone).rejects.toMatchObject({ code: 'store_other_chain' });
    });
  });
});

describe('a heavy block', () => {
  it('after heavy block stays within the memory budget from the first on', async () => {
    const recorded = await recordedSource();
    const padding = `"finalize_block_events":[{"type":"filler","attributes":[{"key":"k","value":"${'x'.repeat(300_000)}","index":true}]},`;
    const heavy = changedSource(recorded, {
      line: (_height, line) => line.replace('"finalize_block_events":[', padding),
    });
    let inFlight = 0;
    let most = 0;
    const source: BlockSource = {
      ...heavy,
      async fetch(from, to, signal) {
        const range = await heavy.fetch(from, to, signal);
        // the block above the last is asked for to confirm it, and kept by nobody
        if (from > 60) return range;
        inFlight += range.byteLength;
        most = Math.max(most, inFlight);
        return range;
      },
    };
    const memoryBytes = 4_000_000;
    const run = { source, toHeight: 60, rangeBlocks: 20, memoryBytes, workers: 2 };
    await digestOf({ ...run, onCommit: ({ rawBytes }) => (inFlight -= rawBytes) });
    expect(inFlight).toBe(0);
    // blocks of the recording differ a little beside the padding
    expect(most).toBeLessThan(memoryBytes * 1.2);
    await recorded.close();
  });

  it('larger than the memory budget passes alone', async () => {
    const recorded = await recordedSource();
    // block-level events of 6 MB in one height
    const filler = `{"type":"filler","attributes":[{"key":"k","value":"${'x'.repeat(1_000)}","index":true}]},`;
    const heavy = changedSource(recorded, {
      line: (height, line) =>
        height === 30
          ? line.replace('"finalize_block_events":[', `"finalize_block_events":[${filler.repeat(6_000)}`)
          : line,
    });
    const run = { source: heavy, toHeight: 40, rangeBlocks: 10 };
    const digest = await digestOf({ ...run, memoryBytes: 500_000, workers: 2 });
    expect(digest).toEqual(await digestOf({ ...run, memoryBytes: 64_000_000 }));
    expect(digest).not.toEqual(await recordedDigest(40));
    await recorded.close();
  });
});
