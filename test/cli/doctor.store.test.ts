import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseFaults } from '../../src/chain/replay/faults/names.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { formatFindings } from '../../src/cli/doctor/finding.ts';
import { checkDisk, checkFreeBytes, checkNodeVersion, checkOpenFiles } from '../../src/cli/doctor/machine.ts';
import { checkChainIds, checkClock, checkNextHeight, checkNode } from '../../src/cli/doctor/nodes.ts';
import { checkStore } from '../../src/cli/doctor/store.ts';
import { indexInto, rowCounts, withStore } from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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
  let isChanged = false;
  beforeAll(async () => {
    const capture = await recordedCapture();
    node = await startReplay({ capture, host: '127.0.0.1', port: 0 });
    other = await startReplay({
      capture,
      host: '127.0.0.1',
      port: 0,
      respond: ({ body }, answer) => {
        if (!isChanged || body?.includes('"block_results"') !== true) return answer;
        const text =
          '{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"Internal error","data":"node is not persisting finalize block responses"}}';
        return { ...answer, parts: [Buffer.from(text)] };
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
    });
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
    const { findings } = await checkNode(gateway.url, Date.now(), new AbortController().signal);
    await gateway.close();
    expect(findings).toContainEqual(expect.objectContaining({ check: 'requests', level: 'warning', text }));
  });

  it('that keep no results', async () => {
    isChanged = true;
    const { findings } = await checkNode(other.url, Date.now(), new AbortController().signal);
    expect(levels(findings)).toMatchObject({ node: 'ok', results: 'problem' });
  });

  it('that are not there', async () => {
    const { findings, chainId } = await checkNode(
      'http://user:secret@127.0.0.1:1',
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
  }, 60_000);
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
  }, 60_000);

  it('that lacks rows', async () => {
    await withStore(folder.path, async (stores) => {
      const store = await stores.open('lose');
      await store.command('DELETE FROM txs WHERE height = 13 SETTINGS lightweight_deletes_sync = 2');
      await store.command('DELETE FROM events WHERE height = 13 SETTINGS lightweight_deletes_sync = 2');
    });
    expect(levels((await look()).findings)).toMatchObject({ rows: 'problem' });
  }, 60_000);

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
  }, 60_000);
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
