import { beforeAll, describe, expect, it } from 'vitest';
import { RARE_CHAIN } from '../../../test/support/rare-chain.ts';
import { parseStepClock } from '../../src/comet/step-clock.ts';
import { RARE } from '../../src/workload/scenarios/rare/all.ts';
import { createRecorder } from './happened.ts';
import { type Play, play } from './play.ts';
import { mostHolders, REACHED } from './reached.ts';

/** A chain whose days pass within few blocks reaches what people seldom do (devnet/src/workload/scenarios/rare). */

describe('a chain with a clock script', () => {
  const refused: string[] = [];
  let chain: Play;
  let happened: ReturnType<typeof createRecorder>;

  beforeAll(async () => {
    const { seed, blocks, steps } = RARE_CHAIN;
    chain = await play(seed, { steps: parseStepClock(steps, blocks) });
    const { app } = chain.devnet;
    happened = createRecorder(app.codec);
    await chain.run(blocks, 10, (block) => {
      happened.add(block);
      refused.push(
        ...block.events.filter(({ type }) => type === 'plan_refused').map((event) => JSON.stringify(event)),
      );
      if (block.header.height % 10 === 0) expect(app.invariants()).toEqual([]);
      return true;
    });
  }, 300_000);

  it.each(Object.entries(REACHED))('%s', (_, reached) => {
    expect(reached(happened)).toBe(true);
  });

  it('has a kind with more than a hundred holders', () => {
    expect(mostHolders(chain.devnet.app.state)).toBeGreaterThan(100);
  });

  it('goes as its scenarios mean it: every rare one has been played', () => {
    const { devnet, workload } = chain;
    expect(RARE.map(({ name }) => name).filter((name) => !workload.played().has(name))).toEqual([]);
    expect(workload.surprises()).toEqual([]);
    expect(refused).toEqual([]);
    expect(devnet.app.unforeseen).toEqual([]);
  });
});
