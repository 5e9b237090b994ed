import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/support/temporary-folder.ts';
import type { ChainParameters } from '../src/app/parameters.ts';
import { type Devnet, openDevnet } from '../src/devnet.ts';
import { genesisContracts } from '../src/modules/evm/genesis.ts';
import { treasuryOf, treasuryPlans } from '../src/workload/treasury.ts';
import { createWorkload } from '../src/workload/workload.ts';
import { expectInvariants } from './support/invariants.ts';

/**
 * Every module at work: a state that was written and read back must do what it would have done, and so do the plans of the
 * genesis.
 */

const BLOCKS = 60;
const TXS = 8;
const SEED = 5;
const plans = (parameters: ChainParameters) => treasuryPlans(String(SEED), parameters, 16);
const temporary = await temporaryFolder();
afterAll(() => temporary.remove());

function view({ app }: Devnet) {
  const { height, timeNs } = app.head();
  return { reader: app.state, height, timeNs };
}

describe('a chain that is stopped again and again', () => {
  it('makes the blocks of one that never was, in all modules', { timeout: 240_000 }, async () => {
    const whole = await openDevnet({ seed: SEED, clock: 'simulated', plans });
    const { parameters } = whole;
    const workload = createWorkload({
      seed: String(SEED),
      parameters,
      encoder: whole.app.codec,
      contracts: genesisContracts(parameters),
      view: view(whole),
    });
    const made = [];
    for (let i = 0; i < BLOCKS; i++) {
      const block = await whole.produceBlock({ txs: workload.plan(view(whole), TXS) });
      workload.observe(block, view(whole));
      expectInvariants(whole);
      made.push(block);
    }
    await whole.stop();
    expect(workload.surprises()).toEqual([]);
    const { address } = treasuryOf(parameters);
    const ofBlocks = made.flatMap(({ events }) => events.map(({ attributes }) => String(attributes)));
    expect(ofBlocks.filter((text) => text.includes(address)).length).toBeGreaterThan(20);

    const home = join(temporary.path, 'home');
    const ids: string[] = [];
    for (let from = 0; from < BLOCKS; from += 12) {
      // a chain that is there has its plans in its genesis
      const devnet = await openDevnet({
        seed: SEED,
        clock: 'simulated',
        home,
        ...(from === 0 ? { plans } : {}),
      });
      for (const { txs } of made.slice(from, from + 12)) {
        const { id } = await devnet.produceBlock({ txs });
        ids.push(id.hash);
      }
      await devnet.stop();
    }
    expect(ids).toEqual(made.map(({ id }) => id.hash));
  });
});
