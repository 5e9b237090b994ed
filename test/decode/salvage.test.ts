import { describe, expect, it } from 'vitest';
import { splitRange } from '../../src/chain/envelope.ts';
import { createDecoder, type DamagedBlock } from '../../src/decode/decoder.ts';
import type { SalvageWish } from '../../src/decode/range.ts';
import { rangeOf, recorded, rpcBody } from '../chain/fixture.ts';
import { recordedContext, tablesOf, txViews } from '../support/decoded.ts';

/** What is kept of blocks whose results cannot be used. Height 34 has 4 txs, all of them successes. */

const HEIGHT = 34;
const { block, results } = recorded(HEIGHT);
const whole: DamagedBlock = { height: HEIGHT, block: block.toString('latin1'), results, isReadable: true };
const decoder = createDecoder(recordedContext());
const wish: SalvageWish = { isDisproved: false, message: 'why', node: 'http://a' };

interface Results {
  txs_results: unknown[] | null;
  readonly finalize_block_events: readonly unknown[];
}

function changed(change: (results: Results) => void): DamagedBlock {
  const parsed = JSON.parse(results.toString('utf8')) as Results;
  change(parsed);
  return { ...whole, results: Buffer.from(JSON.stringify(parsed)) };
}

function salvage(damaged: DamagedBlock, more: Partial<SalvageWish> = {}) {
  const range = decoder.salvage(damaged, { ...wish, ...more }, 0);
  const tables = tablesOf(range);
  return {
    bad: range.badBlocks,
    codes: txViews(tables).map(({ code, codespace }) => (code === 0 ? 'success' : `${codespace}/${code}`)),
    events: (tables.get('events') ?? []).map((row) => row.tx_index),
    header: range.headers[0],
    rows: tables.get('bad_blocks') ?? [],
  };
}

const UNKNOWN = Array.from({ length: 4 }, () => 'strata/1');
const because = (reason: string) => [{ height: HEIGHT, reason }];

describe('a block that is read although its results cannot be used', () => {
  it('with fewer results than txs has none of them, and its block-level events', () => {
    const found = salvage(changed((parsed) => parsed.txs_results?.splice(1)));
    expect(found).toMatchObject({ bad: because('results_missing'), codes: UNKNOWN });
    expect(new Set(found.events)).toEqual(new Set([-1]));
    expect(found.header).toMatchObject({ isHashRight: true, resultsHash: '', resultsAppHash: '' });
    expect(found.rows).toMatchObject([{ reason: 'results_missing', message: 'why', node: 'http://a' }]);
  });

  it('with a result that cannot be read has the others', () => {
    const found = salvage(changed((parsed) => parsed.txs_results?.splice(2, 1, null)));
    expect(found).toMatchObject({
      bad: because('results_unreadable'),
      codes: ['success', 'success', 'strata/1', 'success'],
    });
  });

  it.each([
    ['that are disproved', whole, { isDisproved: true }, 'results_disproved'],
    ['that break off', { ...whole, results: results.subarray(0, 900) }, {}, 'results_unreadable'],
    ['of which not even the place is known', { ...whole, isReadable: false }, {}, 'results_unreadable'],
  ])('has nothing of results %s', (_what, damaged, more, reason) => {
    expect(salvage(damaged, more)).toMatchObject({ bad: because(reason), codes: UNKNOWN, events: [] });
  });

  it('and comes right after all is any other block', () => {
    expect(salvage(whole)).toMatchObject({
      bad: undefined,
      codes: ['success', 'success', 'success', 'success'],
      rows: [],
    });
  });

  it('without a header is none', () => {
    const headless = { ...whole, block: whole.block.replace('"hash":"', '"hash":"x') };
    expect(() => salvage(headless)).toThrowError(expect.objectContaining({ code: 'block_malformed' }));
  });
});

describe('an answer that is broken at one height', () => {
  const text = (breakAt: number) => {
    const answers = [HEIGHT, HEIGHT + 1, HEIGHT + 2].flatMap((height) => {
      const { block: own, results: of } = recorded(height);
      return [own.toString('latin1'), of.toString('latin1').slice(0, height === breakAt ? -2 : undefined)];
    });
    return `[${answers.map((result, id) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`).join(',')}]`;
  };

  it.each([
    [HEIGHT, 'block_malformed'],
    [HEIGHT + 1, 'block_malformed'],
    // it may have been cut there, and closed
    [HEIGHT + 2, 'node_bad_answer'],
  ])('names height %i', (height, code) => {
    const range = rangeOf([rpcBody(HEIGHT, HEIGHT + 2, text(height))]);
    expect(() => splitRange(range)).toThrowError(expect.objectContaining({ code, height, retryable: true }));
  });
});
