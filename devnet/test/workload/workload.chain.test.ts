import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { type Devnet, openDevnet } from '../../src/devnet.ts';
import { bankSend, coin } from '../../src/workload/messages.ts';
import { type Scenario, scenario } from '../../src/workload/scenario.ts';
import type { Stage } from '../../src/workload/stage.ts';
import { NotNow, refused, type Steps, send, sendAll } from '../../src/workload/step.ts';
import { createWorkload } from '../../src/workload/workload.ts';
import { play } from './play.ts';

/** How scenarios are drawn, placed in blocks, and told what became of their txs. */

const open: Devnet[] = [];
afterEach(async () => {
  for (const devnet of open.splice(0)) await devnet.stop();
});

async function workloadOf(...scenarios: readonly Scenario[]) {
  const devnet = await openDevnet({ clock: 'simulated' });
  open.push(devnet);
  const { app, parameters } = devnet;
  const view = () => ({ reader: app.state, height: app.head().height, timeNs: app.head().timeNs });
  const options = { seed: '1', parameters, encoder: app.codec, contracts: undefined, view: view() };
  const workload = createWorkload({ ...options, scenarios });
  return {
    workload,
    view,
    async block(txs: readonly Uint8Array[]) {
      const block = await devnet.produceBlock({ txs });
      workload.observe(block, view());
      return block;
    },
  };
}

const pay = (stage: Stage) => {
  const from = stage.take('holder');
  return [from, bankSend(from, stage.anyone('trader').address, coin('uusd', 5n))] as const;
};

function* paysTwice(stage: Stage): Steps {
  const [from, message] = pay(stage);
  yield* send(from, message);
  yield* send(from, message);
}

describe('the workload', () => {
  it('gives the same txs for one seed, others for another', async () => {
    const [one, two, other] = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const { devnet, run } = await play(seed);
        open.push(devnet);
        const txs: string[] = [];
        await run(12, 6, (block) => {
          txs.push(...block.txs.map((tx) => Buffer.from(tx).toString('hex')));
          return true;
        });
        return txs;
      }),
    );
    expect(one?.length).toBeGreaterThan(40);
    expect(two).toEqual(one);
    expect(other).not.toEqual(one);
  });

  it('fills a block to its room, and puts a step into one block or into none', async () => {
    const { workload, view, block } = await workloadOf(
      scenario('a pair', 1, function* (stage) {
        const [from, message] = pay(stage);
        yield* sendAll([1, 2].map(() => ({ kind: 'cosmos', signers: [from], messages: [message] }) as const));
      }),
    );
    const txs = workload.plan(view(), 5);
    expect(txs.length).toBe(4);
    const { results } = await block(txs);
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(workload.played().get('a pair')).toBe(2);
  });

  it('ends a scenario whose tx never came, and signs with the sequence that the chain has', async () => {
    const { workload, view, block } = await workloadOf(scenario('pays twice', 1, paysTwice));
    expect(workload.plan(view(), 4).length).toBe(4);
    await block([]);
    expect(workload.played().size).toBe(0);
    for (let i = 0; i < 4; i++) {
      const { results } = await block(workload.plan(view(), 4));
      expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    }
    expect(workload.surprises()).toEqual([]);
  });

  it('tells what did not go as it was meant, and goes on', async () => {
    const { workload, view, block } = await workloadOf(
      scenario('wrong', 1, function* (stage) {
        const [from, message] = pay(stage);
        yield* refused(from, ['bank', 9], message);
      }),
    );
    for (let i = 0; i < 60; i++) await block(workload.plan(view(), 3));
    expect(workload.surprises().length).toBe(100);
    expect(workload.surprises()[0]).toMatch(/^height \d+, wrong: expected bank\/9, got \/0: $/);
  });

  it('leaves a block empty when nothing can begin', async () => {
    const { workload, view } = await workloadOf(
      scenario('never', 1, function* (): Steps {
        yield { kind: 'until', timeNs: 0n };
        throw new NotNow('not today');
      }),
    );
    expect(workload.plan(view(), 5)).toEqual([]);
  });

  it('goes on over a chain that was stopped', async () => {
    const home = await temporaryFolder();
    try {
      const first = await play(4, { home: home.path });
      await first.run(30, 8);
      await first.devnet.stop();
      const second = await play(4, { home: home.path });
      open.push(second.devnet);
      await second.run(40, 8);
      expect(second.devnet.chain.latestHeight()).toBe(70);
      expect([...first.workload.surprises(), ...second.workload.surprises()]).toEqual([]);
    } finally {
      for (const devnet of open.splice(0)) await devnet.stop();
      await home.remove();
    }
  });
});
