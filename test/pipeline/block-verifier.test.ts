import { beforeEach, describe, expect, it } from 'vitest';
import type { VerifyMode } from '../../src/core/verify-mode.ts';
import type { BlockHeader } from '../../src/decode/range.ts';
import { type BlockVerifier, createBlockVerifier } from '../../src/pipeline/block-verifier.ts';

/** What it means when blocks do not fit their hashes. */

const warnings: string[] = [];
let proven = 0;
beforeEach(() => {
  warnings.length = 0;
  proven = 0;
});

function verifier(mode: VerifyMode, { isProven = false, canAskAgain = true } = {}): BlockVerifier {
  const log = { info: () => {}, warn: (_facts: object, text: string) => warnings.push(text) };
  return createBlockVerifier({ mode, isProven, canAskAgain, log, onProven: () => proven++ });
}

function header(height: number, change: Partial<BlockHeader> = {}): BlockHeader {
  const hash = height.toString(16).toUpperCase().padStart(64, '0');
  return {
    height,
    hash,
    parentHash: '',
    timeNs: 0n,
    txCount: 0,
    eventCount: 0,
    chainId: 'c',
    appVersion: '0',
    isHashRight: true,
    ownHash: hash,
    resultsHash: `R${height}`,
    lastResultsHash: `R${height - 1}`,
    resultsAppHash: `A${height}`,
    appHash: `A${height - 1}`,
    ...change,
  };
}

const blocks = (from: number, to: number, change: (height: number) => Partial<BlockHeader> = () => ({})) =>
  Array.from({ length: to - from + 1 }, (_, i) => header(from + i, change(from + i)));
const misfitFrom =
  (first: number, ownHash = 'X') =>
  (height: number) =>
    height >= first ? { isHashRight: false, ownHash } : {};

function outcome(check: () => void): string {
  try {
    check();
    return 'taken';
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as { height: number }).height}`;
  }
}

describe('blocks that fit', () => {
  it('are taken, and prove the chain once', () => {
    const blocksOf = verifier('auto');
    blocksOf.check(blocks(1, 5), undefined);
    blocksOf.check(blocks(6, 9), { height: 5, hash: '', resultsHash: 'R5', resultsAppHash: 'A5' });
    expect({ proven, warnings }).toEqual({ proven: 1, warnings: [] });
  });
});

describe('a block that does not fit', () => {
  it('among blocks that do is never taken', () => {
    const one = verifier('auto');
    const change = (height: number) => (height === 3 ? misfitFrom(3)(3) : {});
    for (let look = 0; look < 20; look++) {
      expect(outcome(() => one.check(blocks(1, 5, change), undefined))).toBe('block_refused 3');
    }
  });

  it('behind some that do, in the first range already, is never taken', () => {
    const one = verifier('auto');
    for (let look = 0; look < 20; look++) {
      expect(outcome(() => one.check(blocks(1, 5, misfitFrom(5)), undefined))).toBe('block_refused 5');
    }
  });

  it('and comes otherwise each time is never taken', () => {
    const one = verifier('auto', { isProven: true });
    for (let look = 0; look < 20; look++) {
      expect(outcome(() => one.check(blocks(5, 5, misfitFrom(5, `X${look}`)), undefined))).toBe(
        'block_refused 5',
      );
    }
    expect(warnings).toEqual([]);
  });

  it('and comes the same is taken at the third look, before any block has fitted', () => {
    const one = verifier('auto');
    const seen = Array.from({ length: 3 }, () =>
      outcome(() => one.check(blocks(1, 10, misfitFrom(1)), undefined)),
    );
    expect(seen).toEqual(['block_refused 1', 'block_refused 1', 'taken']);
    expect(warnings).toHaveLength(1);
    // and so is everything from then on
    expect(outcome(() => one.check(blocks(20, 22, misfitFrom(20)), undefined))).toBe('taken');
  });

  it.each([true, false])('is never taken once blocks have fitted (in a run before: %s)', (isProven) => {
    const one = verifier('auto', { isProven });
    if (!isProven) one.check(blocks(1, 2), undefined);
    for (let look = 0; look < 20; look++) {
      expect(outcome(() => one.check(blocks(3, 10, misfitFrom(3)), undefined))).toBe('block_refused 3');
    }
    expect(warnings).toEqual([]);
  });

  it('is taken at once from a capture, and never where it is to be insisted', () => {
    const capture = verifier('auto', { canAskAgain: false });
    expect(outcome(() => capture.check(blocks(1, 5, misfitFrom(1)), undefined))).toBe('taken');
    const always = verifier('always');
    for (let look = 0; look < 20; look++) {
      expect(outcome(() => always.check(blocks(1, 5, misfitFrom(1)), undefined))).toBe('block_refused 1');
    }
    expect(outcome(() => verifier('never').check(blocks(1, 5, misfitFrom(1)), undefined))).toBe('taken');
  });
});

describe('results that the next header does not name', () => {
  it.each([{ resultsHash: 'other' }, { resultsAppHash: 'other' }])('%j are not taken', (wrong) => {
    const change = (height: number) => (height === 3 ? wrong : {});
    const one = verifier('auto');
    expect(outcome(() => one.check(blocks(1, 5, change), undefined))).toBe('block_refused 3');
    one.check(blocks(1, 2), undefined);
    expect(one.confirms(header(4), header(3, wrong))).toBe(false);
    expect(one.confirms(header(4), header(3))).toBe(true);
  });

  it('and are in the store already stop the run', () => {
    const parent = { height: 3, hash: '', resultsHash: 'other' };
    expect(outcome(() => verifier('auto').check(blocks(4, 5), parent))).toBe('parent_mismatch 4');
  });

  it('before 0.38 tell no app hash, and are taken', () => {
    const one = verifier('auto');
    one.check(
      blocks(1, 5, () => ({ resultsAppHash: '' })),
      { height: 0, hash: '' },
    );
    expect(proven).toBe(1);
  });
});
