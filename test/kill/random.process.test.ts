import { afterAll, describe, expect, it } from 'vitest';
import { killCommands } from '../support/command.ts';
import { runKillTest } from './kill-test.ts';

/** A few kills; `npm run test:kill` has more, at other moments, and asks for one in every phase. */

const KILLS = 5;
const SEED = 20_240_501;

afterAll(killCommands);

describe('a backfill whose process is killed at random moments', () => {
  it('comes to the store of an undisturbed run', async () => {
    const lines: string[] = [];
    const { counts, killed, undisturbed } = await runKillTest(KILLS, SEED, (line) => lines.push(line));
    const { merge, ...exclusive } = counts;
    expect(Object.values(exclusive).reduce((sum, count) => sum + count)).toBe(KILLS);
    expect(killed, lines.join('\n')).toEqual(undisturbed);
  }, 900_000);
});
