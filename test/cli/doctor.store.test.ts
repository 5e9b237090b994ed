import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseFaults } from 'strata-kit/rpc/faults/names';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { formatFindings } from '../../src/cli/doctor/finding.ts';
import { checkDisk, checkFreeBytes, checkNodeVersion, checkOpenFiles } from '../../src/cli/doctor/machine.ts';
import {
  checkBranch,
  checkChainIds,
  checkClock,
  checkNextHeight,
  checkNode,
} from '../../src/cli/doctor/nodes.ts';
import { checkStore } from '../../src/cli/doctor/store.ts';
import type { Store } from '../../src/store/store.ts';
import { indexInto, NO_PARAMETERS, rowCounts, withStore } from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Without a store and a configuration. */
const FRESH = { configured: NO_PARAMETERS, stored: new Map<string, string>() };

const levels = (findings: readonly { readonly check: string; readonly level: string }[]) =>
  Object.fromEntries(findings.map(({ check, level }) => [check, level]));

describe('the machine', () => {
  it.each([
    ['20.18.3', 'problem'],
    ['18.99.0', 'problem'],
    ['20.19.0', 'ok'],
    ['22.1.0', 'ok'],
  ])('Node %s: %s', (version, level) => {
    expect(checkNodeVersion(version)).toMatchObject({ level });
  });

  it.each([
    ['Max open files            1000                 4096                 files', 'problem'],
    ['Max open files            4096                 4096                 files', 'warning'],
    ['Max open files            1048576              1048576              files', 'ok'],
    ['Max open files            unlimited            unlimited            files', 'ok'],
    [undefined, 'ok'],
  ])('%s: %s', (limits, level) => {
    expect(checkOpenFiles(limits)).toMatchObject({ level });
  });

  it('room on a disk', async () => {
    expect([5e8, 5e9, 5e10].map((bytes) => checkFreeBytes('/', bytes).level)).toEqual([
      'problem',
      'warning',
      'ok',
    ]);
    // of the folder above, where it is not there yet
    expect(await checkDisk('data', '/no/such/folder')).toMatchObject({
      text: expect.stringMatching(/GB free$/),
    });
  });
});

describe('the nodes', () => {
  let node: Replay;
  let other: Replay;
  /** What the node says to calls for results of heights below it; all heights while it is undefined. */
  let refusal: { readonly data: string; readonly below?: number } | undefined;
  beforeAll(async () => {
    const capture = await recordedCapture();
    node = await startReplay({ capture, host: '127.0.0.1', port: 0 });
    other = await startReplay({
      capture,
      host: '127.0.0.1',
      port: 0,
      respond: ({ body }, answer) => {
        if (refusal === undefined || body?.includes('"block_results"') !== true) return answer;
        const { id, params } = JSON.parse(body) as { id: number; params: { height: string } };
        if (refusal.below !== undefined && Number(params.height) >= refusal.below) return answer;
        const error = { code: -32603, message: 'Internal error', data: refusal.data };
        return { ...answer, parts: [Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, error }))] };
      },
    });
  });
  afterAll(async () => {
    await node.close();
    await other.close();
  });

  it('that are well', async () => {
    const { findings, chainId, earliestHeight } = await checkNode(
      node.url,
      FRESH,
      Date.now(),
      new AbortController().signal,
    );
    expect({ chainId, earliestHeight }).toEqual({ chainId: '9001', earliestHeight: 1 });
    // a recording is old
    expect(levels(findings)).toEqual({
      node: 'ok',
      history: 'ok',
      clock: 'warning',
      results: 'ok',
      requests: 'ok',
      reflection: 'ok',
      prefix: 'ok',
      denom: 'ok',
    });
  });

  it('with the prefix and denom that index would take, and from where', async () => {
    const identity = async (settings: typeof FRESH) => {
      const { findings } = await checkNode(node.url, settings, Date.now(), new AbortController().signal);
      return findings
        .filter(({ check }) => check === 'prefix' || check === 'denom')
        .map(({ level, text }) => `${level}: ${text}`);
    };
    expect(await identity(FRESH)).toEqual(['ok: cosmos, from the chain', 'ok: atest, from the chain']);
    expect(
      await identity({
        configured: { ...NO_PARAMETERS, hrp: 'other' },
        stored: new Map([
          ['hrp', 'other'],
          ['evm_denom', 'utest'],
        ]),
      }),
    ).toEqual([
      'ok: other, from chain.hrp',
      "problem: atest, from the chain; the store's blocks were read with utest",
    ]);
  });

  it.each([
    ['batch-400', 'it takes single calls by POST'],
    ['get-only', 'it takes single calls by GET'],
  ] as const)('that refuse what indexing sends (%s), with what they take', async (fault, text) => {
    const gateway = await startReplay({
      capture: await recordedCapture(),
      host: '127.0.0.1',
      port: 0,
      faults: { chances: parseFaults([fault]), seed: 1 },
    });
    const { findings } = await checkNode(gateway.url, FRESH, Date.now(), new AbortController().signal);
    await gateway.close();
    expect(findings).toContainEqual(expect.objectContaining({ check: 'requests', level: 'warning', text }));
  });

  it('that keep no results', async () => {
    refusal = { data: 'node is not persisting finalize block responses' };
    const { findings } = await checkNode(other.url, FRESH, Date.now(), new AbortController().signal);
    expect(levels(findings)).toMatchObject({ node: 'ok', results: 'problem' });
  });

  it('that have thrown old results away', async () => {
    refusal = { data: 'could not find results for height #1', below: 123 };
    const { findings } = await checkNode(other.url, FRESH, Date.now(), new AbortController().signal);
    expect(findings.find(({ check }) => check === 'results')).toMatchObject({
      level: 'warning',
      text: 'block_results from height 123 only, blocks from 1',
    });
  });

  it('that are not there', async () => {
    const { findings, chainId } = await checkNode(
      'http://user:secret@127.0.0.1:1',
      FRESH,
      0,
      new AbortController().signal,
    );
    expect(chainId).toBeUndefined();
    expect(findings).toMatchObject([
      { check: 'node', level: 'problem', remedy: expect.stringMatching(/--rpc/) },
    ]);
    expect(JSON.stringify(findings)).not.toContain('secret');
  });

  it('and their clocks', () => {
    const nowMs = 1_000_000_000;
    expect(checkClock('n', nowMs - 3_000, nowMs)).toMatchObject({ level: 'ok' });
    expect(checkClock('n', nowMs + 60_000, nowMs)).toMatchObject({ level: 'problem' });
    expect(checkClock('n', nowMs - 600_000, nowMs)).toMatchObject({ level: 'warning' });
    expect(checkClock('n', undefined, nowMs)).toMatchObject({ level: 'warning' });
  });

  it('and whether all speak of one chain, with the next height in it', () => {
    expect(
      checkChainIds(
        [
          ['a', 'x-1'],
          ['b', 'x-1'],
        ],
        [['the store', 'x-1']],
      ),
    ).toMatchObject([{ level: 'ok' }]);
    expect(
      checkChainIds(
        [
          ['a', 'x-1'],
          ['b', 'y-1'],
        ],
        [],
      ),
    ).toMatchObject([{ level: 'problem' }]);
    expect(checkChainIds([['a', 'x-1']], [])).toEqual([]);
    expect(checkNextHeight(50, [100, 40])).toMatchObject([{ level: 'ok' }]);
    expect(checkNextHeight(50, [100, 60])).toMatchObject([
      { level: 'problem', text: expect.stringContaining('60') },
    ]);
  });
});

describe('the store', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    await withStore(folder.path, async (stores) => {
      await indexInto(stores, { toHeight: 20 });
      await indexInto(stores, { toHeight: 40 });
    });
  });
  afterAll(() => folder.remove());

  const look = () => checkStore({ kind: 'embedded', folder: folder.path });

  it('that is not there is made by nobody', async () => {
    const path = join(folder.path, 'nothing');
    const { findings, nextHeight } = await checkStore({ kind: 'embedded', folder: path });
    expect([levels(findings), nextHeight, existsSync(path)]).toEqual([{ store: 'ok' }, undefined, false]);
  });

  it('that is well', async () => {
    const { findings, chainId, nextHeight } = await look();
    expect(levels(findings)).toEqual({ schema: 'ok', store: 'ok', rows: 'ok' });
    expect({ chainId, nextHeight }).toEqual({ chainId: '9001', nextHeight: 41 });
  });

  describe('against a node', () => {
    let answer: (text: string, height: number) => string;
    let node: Replay;
    beforeAll(async () => {
      node = await startReplay({
        capture: await recordedCapture(),
        host: '127.0.0.1',
        port: 0,
        respond: ({ body }, given) => {
          const height = Number(/"method":"block".*"height":"(\d+)"/.exec(body ?? '')?.[1] ?? 0);
          const text = Buffer.concat(given.parts).toString('latin1');
          return { ...given, parts: [Buffer.from(answer(text, height), 'latin1')] };
        },
      });
    });
    afterAll(() => node.close());
    const branch = async () => {
      const choice = { kind: 'embedded', folder: folder.path } as const;
      const look = (store: Store) => checkBranch(node.url, store, new AbortController().signal);
      return (await checkStore(choice, look)).findings.find(({ check }) => check === 'branch');
    };
    const lower = (text: string) => text.replace(/("latest_block_height":")\d+/, '$130');

    it.each([
      ['has its newest block', (text: string) => text, 'ok', /newest block, 40$/],
      ['was rolled back', lower, 'warning', /head is at height 30, below the store's 40/],
      [
        'is on another branch',
        (text: string, height: number) =>
          height > 33
            ? text.replace(/("block_id":\{"hash":")./, '$1Z').replace('"hash":"Z', '"hash":"0')
            : text,
        'problem',
        /block 40 is not the one in the store; both have the same up to height 33/,
      ],
    ] as const)('that %s', async (_what, change, level, text) => {
      answer = change;
      expect(await branch()).toMatchObject({ level, text: expect.stringMatching(text) });
    });
  });

  it('with bad blocks', async () => {
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('bad');
      await store.command("INSERT INTO bad_blocks (height, reason) VALUES (17, 'results_missing')");
    });
    const { findings } = await look();
    expect(findings.find(({ check }) => check === 'bad blocks')).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(/^1 kept .*: 17$/),
      remedy: expect.stringContaining('strata repair --height 17'),
    });
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('bad');
      await store.command('TRUNCATE TABLE bad_blocks');
    });
  });

  it('with an event that no descriptor names', async () => {
    const change = (sql: string) =>
      withStore(folder.path, async (stores) => (await stores.open('undecoded')).command(sql));
    await change(
      "INSERT INTO events (height, tx_index, event_index, type) VALUES (40, -1, 99, 'a.v1.EventB')",
    );
    const { findings } = await look();
    expect(findings.find(({ check }) => check === 'decoded')).toMatchObject({
      level: 'warning',
      text: expect.stringMatching(
        /^of the newest 100 blocks (\d+) of \1 messages and 0 of 1 .* not a\.v1\.EventB$/,
      ),
      remedy: expect.stringContaining('--descriptors'),
    });
    await change("DELETE FROM events WHERE type = 'a.v1.EventB' SETTINGS lightweight_deletes_sync = 2");
  });

  it('with a commit that was cut short, which it leaves as it is', async () => {
    const spooled = join(folder.path, 'spool', '0-blocks.native');
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('cut');
      await store.command('DELETE FROM checkpoints WHERE height > 20 SETTINGS lightweight_deletes_sync = 2');
    });
    const before = await withStore(folder.path, rowCounts);
    mkdirSync(join(folder.path, 'spool'), { recursive: true });
    writeFileSync(spooled, 'half a commit');
    const { findings, nextHeight } = await look();
    expect(levels(findings)).toEqual({ schema: 'ok', store: 'ok', rows: 'warning' });
    expect(findings.find(({ check }) => check === 'rows')?.text).toMatch(/^\d+ above the checkpoint/);
    expect([nextHeight, existsSync(spooled)]).toEqual([21, true]);
    expect(await withStore(folder.path, rowCounts)).toEqual(before);
  });

  it('that lacks rows', async () => {
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('lose');
      await store.command('DELETE FROM txs WHERE height = 13 SETTINGS lightweight_deletes_sync = 2');
      await store.command('DELETE FROM events WHERE height = 13 SETTINGS lightweight_deletes_sync = 2');
    });
    expect(levels((await look()).findings)).toMatchObject({ rows: 'problem' });
  });

  it('of a newer schema, and what is no store', async () => {
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('newer');
      await store.command("INSERT INTO facts SELECT 'schema_version', '9999', 9999");
    });
    expect(levels((await look()).findings)).toEqual({ schema: 'problem' });
    const { findings } = await checkStore({ kind: 'server', url: 'http://127.0.0.1:1', database: 'strata' });
    expect(findings).toMatchObject([
      { check: 'store', level: 'problem', text: expect.stringContaining('store_unreachable') },
    ]);
  });
});

describe('the table', () => {
  it('has a mark, columns, and what to do below', () => {
    expect(
      formatFindings([
        { check: 'node', subject: 'http://a', level: 'ok', text: 'answers', remedy: '' },
        { check: 'disk', subject: '/', level: 'warning', text: '5.0 GB free', remedy: 'make room' },
        { check: 'history', subject: 'b', level: 'problem', text: 'gone', remedy: '' },
      ]),
    ).toEqual([
      '✓ node     http://a  answers',
      '! disk     /         5.0 GB free',
      '    → make room',
      '✗ history  b         gone',
    ]);
  });
});
