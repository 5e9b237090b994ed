import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStrata } from '../../src/cli/strata.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { type DevnetNode, startDevnetNode } from '../support/devnet-node.ts';
import { indexInto } from '../support/indexing.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { collector } from './console.ts';

beforeAll(releaseSharedStore);

/** strata state: derived state as of heights, held against what the chain itself says of them. */

const BLOCKS = 120;

interface Position {
  readonly asset_id: string;
  readonly kind_id: number;
  readonly holder: string;
  readonly units: string;
  readonly locks?: readonly { readonly ref: string; readonly units: string }[];
}
type Entry = Readonly<Record<string, unknown>>;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: DevnetNode;
let data: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  data = join(folder.path, 'data');
  node = await startDevnetNode({ blocks: BLOCKS });
  const stores = await openEmbedded({ folder: data });
  await indexInto(stores, { source: node.source, toHeight: BLOCKS });
  await stores.close();
}, 120_000);
afterAll(async () => {
  await node.close();
  await folder.remove();
});

async function state(
  ...argv: readonly string[]
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  const [stdout, stderr] = [collector(), collector()];
  const exitCode = await createStrata({ env: {}, stdout, stderr }).run(['state', '--data', data, ...argv]);
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

async function jsonOf(...argv: readonly string[]): Promise<Record<string, unknown>> {
  const told = await state(...argv, '--json');
  expect(told).toMatchObject({ exitCode: 0, stderr: '' });
  return JSON.parse(told.stdout) as Record<string, unknown>;
}

async function chainPositions(height: number): Promise<readonly Position[]> {
  const { positions } = await node.query('rights', 'Export', {}, height);
  return (positions as unknown as Position[]).filter(
    ({ units, locks = [] }) => units !== '0' || locks.length > 0,
  );
}

/** As strata state prints the chain's own position. */
function told({ asset_id, kind_id, holder, units, locks = [] }: Position): string {
  const encumbered = locks.reduce((sum, lock) => sum + BigInt(lock.units), 0n);
  const sorted = locks.map(({ ref, units: locked }) => `${ref}=${locked}`).sort();
  return [asset_id, kind_id, holder, units, encumbered, BigInt(units) - encumbered, ...sorted].join(' ');
}

function printed(
  position: Position & { readonly encumbered: string; readonly transferable: string },
): string {
  const { asset_id, kind_id, holder, units, encumbered, transferable, locks = [] } = position;
  const sorted = locks.map(({ ref, units: locked }) => `${ref}=${locked}`).sort();
  return [asset_id, kind_id, holder, units, encumbered, transferable, ...sorted].join(' ');
}

const all = (answer: Record<string, unknown>): string[] =>
  (answer.positions as Parameters<typeof printed>[0][]).map(printed).sort();

describe.each([41, BLOCKS])('as of height %i', (height) => {
  it('has the positions and accruals of every asset as the chain has them', async () => {
    const positions = await chainPositions(height);
    const assets = [...new Set(positions.map(({ asset_id }) => asset_id))].slice(0, 2);
    expect(assets.length).toBeGreaterThan(0);
    for (const asset of assets) {
      const answer = await jsonOf('--height', String(height), '--asset', asset);
      expect(answer).toMatchObject({ height, positions_left_out: 0 });
      expect(answer.claimable).toBeUndefined();
      expect(all(answer)).toEqual(
        positions
          .filter(({ asset_id }) => asset_id === asset)
          .map(told)
          .sort(),
      );
      const { accruals = [] } = await node.query('payout', 'Accruals', { asset_id: asset }, height);
      const byDenom = (rows: readonly Entry[]): string[] =>
        rows
          .map(
            (row) =>
              `${row.kind_id} ${row.denom} ${row.total_distributed} ${row.total_paid} ${row.carry_scaled} ${row.sum_claimable}`,
          )
          .sort();
      expect(byDenom(answer.accruals as Entry[])).toEqual(byDenom(accruals as unknown as Entry[]));
    }
  });

  it('has the positions of an account, and what it may claim', async () => {
    const positions = await chainPositions(height);
    const locked = positions.filter(({ locks = [] }) => locks.length > 0).map(({ holder }) => holder);
    for (const account of [...new Set([locked[0] ?? '', positions[0]?.holder ?? ''])].filter(
      (name) => name !== '',
    )) {
      const answer = await jsonOf('--height', String(height), '--account', account);
      expect(answer.accruals).toBeUndefined();
      expect(all(answer)).toEqual(
        positions
          .filter(({ holder }) => holder === account)
          .map(told)
          .sort(),
      );
      const { entries = [] } = await node.query('payout', 'Claimable', { address: account }, height);
      const lines = (rows: readonly Entry[]): string[] =>
        rows.map((row) => [row.asset_id, row.kind_id, row.denom, row.ref, row.total].join(' ')).sort();
      expect(lines(answer.claimable as Entry[])).toEqual(lines(entries as unknown as Entry[]));
    }
  });
});

describe('strata state', () => {
  it('prints tables for people, of the newest height unless one is given', async () => {
    const [position] = await chainPositions(BLOCKS);
    const { exitCode, stdout } = await state(
      '--asset',
      position?.asset_id ?? '',
      '--account',
      position?.holder ?? '',
    );
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(new RegExp(`^as of height ${BLOCKS}, \\d{4}-`));
    for (const part of ['\npositions\n', '\naccruals\n', '\nclaimable\n', position?.units ?? '-']) {
      expect(stdout).toContain(part);
    }
  });

  it.each([
    [
      ['--height', String(BLOCKS + 1), '--account', '0x0000000000000000000000000000000000000001'],
      2,
      'heights 1 to 120',
    ],
    [
      ['--height', '0', '--account', '0x0000000000000000000000000000000000000001'],
      2,
      "must be a height: a whole number from 1, not '0'",
    ],
    [
      ['--height', 'x', '--account', '0x0000000000000000000000000000000000000001'],
      2,
      "must be a height: a whole number from 1, not 'x'",
    ],
    [['--asset', '0'.repeat(64)], 1, 'not_found'],
    [['--asset', 'abc'], 2, '64 lower-case hex'],
    [['--account', 'cosmos1nobody'], 2, '--account must be a valid'],
    [[], 2, 'give --asset <id> or --account <addr>'],
  ])('%j is refused', async (argv, exitCode, message) => {
    const answer = await state(...argv);
    expect(answer).toMatchObject({ exitCode, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('of an asset that came later is not_found', async () => {
    const [position] = await chainPositions(BLOCKS);
    const answer = await state('--height', '1', '--asset', position?.asset_id ?? '');
    expect(answer).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('as of height 1') });
  });
});
