import { deepStrictEqual } from 'node:assert';
import { parseArgs } from 'node:util';
import { killCommands } from '../support/command.ts';
import { runKillTest, runModuleKillTest } from './kill-test.ts';
import { PHASES } from './schedule.ts';

/**
 * `npm run test:kill -- --kills N [--seed S] [--modules]`: exit code 0 when the killed store is that of an undisturbed
 * run and, from 20 kills on, every phase had one. The chain is the recorded one made long, or with `--modules` the
 * reference chain's workload, which has rows in every table.
 */

const ALL_PHASES_FROM = 20;

const { values } = parseArgs({
  options: { kills: { type: 'string' }, seed: { type: 'string' }, modules: { type: 'boolean' } },
});
const kills = wholeNumber('kills', values.kills ?? '25');
const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000));
const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const which = values.modules === true ? ' --modules' : '';
log(`${kills} kills, seed ${seed}: the same schedule again with --kills ${kills} --seed ${seed}${which}`);
try {
  const { counts, killed, undisturbed } = await (which === '' ? runKillTest : runModuleKillTest)(
    kills,
    seed,
    log,
  );
  log(`kills per phase: ${PHASES.map((phase) => `${phase} ${counts[phase]}`).join(', ')}`);
  deepStrictEqual(killed, undisturbed);
  log(`the store is that of an undisturbed run: ${undisturbed.digest.at(-1)}`);
  const missing = PHASES.filter((phase) => counts[phase] === 0);
  if (kills >= ALL_PHASES_FROM && missing.length > 0) throw new Error(`no kill in ${missing.join(', ')}`);
  log('1 passed, 0 failed');
} catch (error) {
  log(`${error instanceof Error ? error.stack : String(error)}\nseed ${seed}\n0 passed, 1 failed`);
  process.exitCode = 1;
} finally {
  killCommands();
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number, not ${text}`);
  return Number(text);
}
