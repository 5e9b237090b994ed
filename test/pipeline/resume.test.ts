import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStrataError } from '../../src/core/errors.ts';
import { RowReader } from '../../src/store/rowbinary.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { digestLines, indexInto, rowCounts, withFreshStore, withStore } from '../support/indexing.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { seededRandom } from '../support/random.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Stopped or killed anywhere, and started again: the store is the one that an undisturbed run makes. */

const COMMAND = fileURLToPath(new URL('../../dist/src/strata.cjs', import.meta.url));

interface Outcome {
  readonly digest: readonly string[];
  readonly rows: Readonly<Record<string, number>>;
  /** What the views that sum up add up to. */
  readonly sums: readonly string[];
}

/** A row a group and insert: how many there are depends on the commits; what they add up to does not. */
const SUMMED_VIEWS: Readonly<Record<string, string>> = { txs_per_method: 'method', txs_per_day: 'day' };

let undisturbed: Outcome;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  undisturbed = await withFreshStore(async (stores) => {
    await indexInto(stores);
    return outcomeOf(stores);
  });
  expect(undisturbed.sums.length).toBeGreaterThan(20);
}, 120_000);

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

function comparable(rows: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(rows).filter(([table]) => !(table in SUMMED_VIEWS)));
}

async function sumsOf(stores: StoreFactory): Promise<string[]> {
  const store = await stores.open('sums');
  const sums: string[] = [];
  for (const [table, group] of Object.entries(SUMMED_VIEWS)) {
    const rows = new RowReader(
      await store.query(
        `SELECT toString(${group}) AS name, sum(txs) FROM ${table} GROUP BY name ORDER BY name`,
      ),
    );
    while (!rows.done) sums.push(`${table} ${rows.string()} ${rows.u64()}`);
  }
  await store.close();
  return sums;
}

describe('a run that is stopped', () => {
  it('at random heights resumes to the same store', async () => {
    const random = seededRandom(20_240_501);
    await withFreshStore(async (stores) => {
      for (let stops = 0; stops < 5; stops++) {
        const stop = new AbortController();
        let commitsLeft = random.between(1, 4);
        const options = {
          signal: stop.signal,
          rangeBlocks: random.between(1, 20),
          commitBlocks: random.between(1, 30),
          workers: random.between(1, 2),
        };
        await stopped(
          indexInto(stores, {
            ...options,
            onCommit: () => {
              if (--commitsLeft === 0) stop.abort();
            },
          }),
        );
      }
      await indexInto(stores);
      expect(await outcomeOf(stores)).toEqual(undisturbed);
    });
  }, 120_000);
});

describe('a process that is killed', () => {
  it('in the middle of commits resumes to the same store', async () => {
    const random = seededRandom(7);
    const folder = await temporaryFolder();
    try {
      let killed = 0;
      for (let toHeight = 70; toHeight < 501; toHeight += 70) {
        killed += (await indexAndKill(folder.path, toHeight, random.between(0, 150))) ? 1 : 0;
      }
      expect(killed).toBeGreaterThanOrEqual(4);
      await withStore(folder.path, async (stores) => {
        await indexInto(stores);
        expect(await outcomeOf(stores)).toEqual(undisturbed);
      });
    } finally {
      await folder.remove();
    }
  }, 120_000);
});

/** A run that ends early rejects with `aborted`, or ends well where it was about to. */
async function stopped(run: Promise<unknown>): Promise<void> {
  await run.catch((error: unknown) => {
    if (!isStrataError(error, 'aborted')) throw error;
  });
}

async function outcomeOf(stores: StoreFactory): Promise<Outcome> {
  const { tables, checkpoint } = await rowCounts(stores);
  expect(checkpoint).toEqual(tables);
  return { digest: await digestLines(stores), rows: comparable(tables), sums: await sumsOf(stores) };
}

/**
 * Indexes in a process of its own, which is killed `delayMs` after its first commit: in the middle of the second, as a
 * rule. False when it had come to its end before.
 */
async function indexAndKill(folder: string, toHeight: number, delayMs: number): Promise<boolean> {
  const child = spawn(process.execPath, [
    ...[COMMAND, 'index', '--capture', FIXTURE_FOLDER.pathname, '--data', folder, '--to', `${toHeight}`],
    ...['--range-blocks', '4', '--commit-blocks', '4', '--log-format', 'json', '--log-level', 'debug'],
  ]);
  children.add(child);
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    const { msg } = JSON.parse(line) as { readonly msg: string };
    if (msg === 'committed') setTimeout(() => child.kill('SIGKILL'), delayMs);
  }
  await exited;
  children.delete(child);
  if (child.signalCode !== 'SIGKILL') expect([child.exitCode, lines.at(-1)]).toEqual([0, expect.anything()]);
  return child.signalCode === 'SIGKILL';
}
