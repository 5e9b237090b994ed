import { describe, expect, it } from 'vitest';
import { serviceAccount, workloadAccounts } from '../../src/workload/accounts.ts';
import { SCENARIOS } from '../../src/workload/scenarios/all.ts';
import { type Coverage, createCoverage } from './coverage.ts';
import { play } from './play.ts';
import { codec, EVENTS, WANTED } from './wanted.ts';

const missing = ({ firstHeights }: Coverage): string[] => WANTED.filter((what) => !firstHeights.has(what));

describe.each(['1', '2', '3'])('the workload of seed %s', (seed) => {
  it('brings about everything within 2,000 blocks, and events of every module within 300', async () => {
    const faucet = serviceAccount('faucet', 'aeva').address;
    const accounts = new Set(workloadAccounts(seed, 'aeva').map(({ address }) => address));
    const coverage = createCoverage(codec, { faucet, accounts });
    const { devnet, workload, run } = await play(Number(seed));
    await run(2_000, 10, ({ header, txs, results, events }) => {
      coverage.add(header.height, txs, results, events);
      if (header.height % 20 === 0) expect(devnet.app.invariants()).toEqual([]);
      return missing(coverage).length > 0;
    });
    expect(missing(coverage)).toEqual([]);
    expect(workload.surprises()).toEqual([]);
    expect(devnet.app.unforeseen).toEqual([]);
    const modules = EVENTS.map(
      (event) => [event.split('.')[1], coverage.firstHeights.get(event) ?? Infinity] as const,
    );
    expect(SCENARIOS.length).toBeGreaterThan(100);
    for (const [, height] of modules) expect(height).toBeLessThan(300);
  }, 300_000);
});
