import { join } from 'node:path';
import { withFaults } from 'strata-devnet/faults/faults';
import { parseFaults } from 'strata-devnet/faults/names';
import { startRpc } from 'strata-devnet/rpc/server';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { play } from '../../devnet/test/workload/play.ts';
import { startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { openStores } from '../../src/cli/stores.ts';
import { createStrata } from '../../src/cli/strata.ts';
import { formatReconciliation } from '../../src/cli/verification-table.ts';
import { startHere } from '../support/command-here.ts';
import { validateAnswer } from '../support/contract.ts';
import { indexInto } from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { releaseSharedStore } from '../support/shared-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';
import { collector, runCli } from './console.ts';

beforeAll(releaseSharedStore);

/** `strata verify` over a data folder, as a person runs it. */

const BLOCKS = 40;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let truthful: RpcServer;
let lying: RpcServer;
const ends: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  const { devnet, run } = await play(1, { keep: undefined });
  await run(BLOCKS, 8);
  const { chain, signer, app } = devnet;
  truthful = await startRpc({ chain, port: 0 });
  const faults = parseFaults(['query-value:asset.NextNonce.next_nonce', 'query-value:asset.Export.nonce']);
  lying = await startRpc({ chain: withFaults(chain, faults, { signer, codec: app.codec }), port: 0 });
  ends.push(
    () => devnet.stop(),
    () => truthful.close(),
    () => lying.close(),
  );
  const source = createRpcSource({ urls: [truthful.url] });
  const stores = await openStores({ kind: 'embedded', folder: folder.path });
  await indexInto(stores, { toHeight: BLOCKS, source });
  await stores.close();
  await source.close();
}, 120_000);

afterAll(async () => {
  for (const end of ends.reverse()) await end();
  await folder.remove();
});

async function verify(...argv: string[]) {
  const stdout = collector();
  const stderr = collector();
  const program = createStrata({ stdout, stderr, env: {}, cwd: folder.path });
  const data = argv.includes('--data') ? [] : ['--data', folder.path];
  const exitCode = await program.run(['verify', ...data, '--log-format', 'json', ...argv]);
  return { exitCode, lines: stdout.text().trimEnd().split('\n'), stderr: stderr.text() };
}

describe('strata verify', () => {
  it('prints what agrees, and ends with 0', async () => {
    const { exitCode, lines, stderr } = await verify('--rpc', truthful.url);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(lines[0]).toMatch(/^result {2,}check {2,}subject {2,}field {2,}chain {2,}indexer$/);
    expect(lines.slice(1, -1).every((line) => /^agree +(nonce|kind|token|route) +\S/.test(line))).toBe(true);
    expect(lines.at(-1)).toBe(`height ${BLOCKS}: ${lines.length - 2} agree, 0 disagree`);
  });

  it('prints what does not with both values, and ends with 1', async () => {
    const { exitCode, lines } = await verify('--rpc', lying.url, '--height', '30');
    expect(exitCode).toBe(1);
    const wrong = lines.filter((line) => line.startsWith('DISAGREE'));
    expect(wrong.length).toBeGreaterThan(0);
    for (const line of wrong) {
      const [, check, issuer, field, chain, indexer] = line.split(/ +/);
      expect([check, field]).toEqual(['nonce', 'next_nonce']);
      expect(issuer).toMatch(/^aeva1/);
      expect(Number(chain)).toBe(Number(indexer) + 1);
    }
    expect(lines.at(-1)).toBe(
      `height 30: ${lines.length - 2 - wrong.length} agree, ${wrong.length} disagree`,
    );
  });

  it('compares every record with --deep, and prints JSON with --json', async () => {
    const { exitCode, lines } = await verify('--rpc', truthful.url, '--deep', '--json');
    const found = JSON.parse(lines.join('\n'));
    expect(found).toMatchObject({ height: BLOCKS, disagreed: 0, unserved: [] });
    expect(found.exports.length).toBe(9);
    expect(exitCode).toBe(0);
  });

  it('is done by the process that has the folder open', async () => {
    const stores = await openStores({ kind: 'embedded', folder: folder.path });
    try {
      const right = await verify('--rpc', truthful.url);
      expect([right.exitCode, right.lines.at(-1)]).toEqual([
        0,
        `height ${BLOCKS}: ${right.lines.length - 2} agree, 0 disagree`,
      ]);
      expect((await verify('--rpc', lying.url)).exitCode).toBe(1);
      const beyond = await verify('--rpc', truthful.url, '--height', '41');
      expect([beyond.exitCode, beyond.stderr]).toEqual([2, expect.stringContaining('heights 1 to 40')]);
    } finally {
      await stores.close();
    }
  });

  it('says where nothing was compared, and ends with 3', async () => {
    const recording = join(folder.path, 'recording');
    await copyRecordedStore(recording);
    const node = await startReplay({ capture: await recordedCapture(), host: '127.0.0.1', port: 0 });
    try {
      const { exitCode, lines, stderr } = await verify('--rpc', node.url, '--data', recording);
      expect([exitCode, lines]).toEqual([3, ['height 501: 0 agree, 0 disagree']]);
      expect(stderr).toMatch(
        /nothing was compared: the store has no record at height 501 to ask the chain about/,
      );
    } finally {
      await node.close();
    }
  });

  it('fails where no node answers', async () => {
    const { exitCode, stderr } = await verify('--rpc', 'http://127.0.0.1:1');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('node_unreachable')]);
  }, 30_000);

  it.each([
    [['verify'], 'verify needs the nodes to ask'],
    [['verify', '--rpc', 'http://a', '--asset', 'AB'], '--asset must be an asset id'],
    [['verify', '--rpc', 'http://a', '--height', 'x'], "must be a height: a whole number from 1, not 'x'"],
  ])('wants to know what to compare: %j', async (argv, why) => {
    const { exitCode, stderr, ran } = await runCli(argv);
    expect([exitCode, ran, stderr]).toEqual([2, undefined, expect.stringContaining(why)]);
  });
});

describe('strata start', () => {
  it('compares whole modules by itself at the head, and serves what differs', async () => {
    const started = startHere(
      ...['start', '--rpc', lying.url, '--data', folder.path, '--listen', '127.0.0.1:0'],
      ...['--admin', '127.0.0.1:0', '--verify-every', '0', '--verify-deep-every', '1h'],
    );
    const [, admin] = await started.printed(/admin listener at (http:\S+)/);
    const [, api] = await started.printed(/serving (http:\S+)/);
    await started.printed(/the state of asset at height 40 differs from the derived one in 1 value:/);
    const ask = async (): Promise<unknown> => (await fetch(`${api}/v1/invariants`)).json();
    await expect.poll(ask).toMatchObject({ drift: [{ source: 'export', module: 'asset', field: 'nonce' }] });
    expect(validateAnswer('/v1/invariants', 200, await ask())).toEqual([]);
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toContain('strata_export_differences{module="asset"} 1\n');
    expect(metrics).toContain('strata_export_comparisons_total{outcome="disagreed"} 1\n');
    await started.stopWell();
  });
});

describe('its table', () => {
  it('has a line a value that differs, and says what is not listed', () => {
    const kind = {
      check: 'kind',
      assetId: 'ab',
      kindId: 1,
      subject: '',
      height: 9,
      evaluated: true,
    } as const;
    const accrual = { denom: 'uusd', index: '5', carry_scaled: '0', total_paid: '1', module_held: '9' };
    const side = { supply: '7', positions: '7', encumbered: '0' };
    const lines = formatReconciliation({
      sequence: 1,
      height: 9,
      evaluated: 4,
      notEvaluated: 1,
      agreed: 3,
      disagreed: 1,
      rows: [
        {
          ...kind,
          agree: false,
          chain: { ...side, supply: '8', accruals: [{ ...accrual, total_distributed: '10' }] },
          indexer: { ...side, accruals: [{ ...accrual, total_distributed: '9' }] },
        },
        {
          ...kind,
          check: 'token',
          kindId: -1,
          evaluated: false,
          agree: true,
          chain: { address: '' },
          indexer: { address: '0xAb' },
        },
      ],
      leftOut: 3,
      unserved: [],
      exports: [
        { module: 'rights', records: 12, differences: [], leftOut: 0 },
        {
          module: 'payout',
          records: 2,
          differences: [
            { module: 'payout', record: 'basis x', field: 'record', chain: 'present', indexer: '' },
          ],
          leftOut: 0,
        },
      ],
    });
    expect(lines).toEqual([
      'result         check          subject     field                            chain    indexer',
      'DISAGREE       kind           ab/1        supply                           8        7',
      'DISAGREE       kind           ab/1        accruals.uusd.total_distributed  10       9',
      'not evaluated  token          ab/bundle                                             0xAb',
      'agree          export rights  12 records',
      'DISAGREE       export payout  basis x     record                           present  (none)',
      '… and 3 more that agree or were not evaluated',
      'height 9: 3 agree, 1 disagree, 1 not evaluated; 14 records of 2 modules compared, 1 values differ',
    ]);
  });
});
