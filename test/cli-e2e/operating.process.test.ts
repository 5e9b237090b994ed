import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { killCommands, type RunningCommand, startWith } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** Who operates Strata: looks at a running process, backs its store up, and puts the backup elsewhere. */

const RECORDING = FIXTURE_FOLDER.pathname;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let node: Replay;
let running: RunningCommand;
let isFaulty = true;
let admin: string;
let api: string;

const at = (name: string): string => join(folder.path, name);

beforeAll(async () => {
  folder = await temporaryFolder();
  let asked = 0;
  node = await startReplay({
    capture: await openCapture(RECORDING),
    host: '127.0.0.1',
    port: 0,
    paceMs: 40,
    // one answer in twenty is of no use
    respond: (_request, answer) =>
      isFaulty && ++asked % 20 === 0 ? { ...answer, status: 500, parts: [] } : answer,
  });
  running = startWith(
    { STRATA_TEST_COMMIT_BLOCKS: '5', STRATA_TEST_COMMIT_SECONDS: '0.2' },
    ...['start', '--rpc', node.url, '--data', at('data'), '--listen', '127.0.0.1:0', '--admin', '0'],
    ...['--ready-lag', '400'],
  );
  admin = (await running.printed(/admin listener at (http:\S+)/))[1] ?? '';
  api = (await running.printed(/serving (http:\S+)/))[1] ?? '';
});
afterAll(async () => {
  killCommands();
  await node.close();
  await folder.remove();
});

async function metricsText(): Promise<string> {
  const answer = await fetch(`${admin}/metrics`);
  expect(answer.status).toBe(200);
  return answer.text();
}

/** Of a metric without labels. */
function sampleOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

/** Names as an expression may have them: a histogram has three. */
function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    names.add(name);
    if (type === 'histogram') for (const part of ['bucket', 'sum', 'count']) names.add(`${name}_${part}`);
  }
  return names;
}

describe('a running process', () => {
  it('says that it is alive and ready, and how far it is', async () => {
    expect((await fetch(`${admin}/healthz`)).status).toBe(200);
    await expect.poll(async () => (await fetch(`${admin}/readyz`)).status).toBe(200);
    expect(await (await fetch(`${admin}/readyz`)).json()).toMatchObject({
      ready: true,
      reasons: [],
      stall: null,
      indexed_height: expect.any(Number),
      chain_height: expect.any(Number),
      lag_blocks: expect.any(Number),
    });
  });

  it('counts what it does', async () => {
    for (const target of ['/v1/status', '/openapi.yaml', '/v1/nowhere']) await fetch(api + target);
    await expect.poll(async () => sampleOf(await metricsText(), 'strata_blocks_total')).toBeGreaterThan(40);
    const text = await metricsText();
    expect(sampleOf(text, 'strata_indexed_height')).toBe(sampleOf(text, 'strata_blocks_total'));
    expect(sampleOf(text, 'strata_chain_height')).toBeGreaterThanOrEqual(
      sampleOf(text, 'strata_indexed_height'),
    );
    expect(sampleOf(text, 'strata_events_total')).toBeGreaterThan(100);
    expect(sampleOf(text, 'strata_commit_seconds_count')).toBeGreaterThan(0);
    expect(sampleOf(text, 'strata_queue_limit_bytes')).toBe(256_000_000);
    expect(text).toContain(`strata_source_request_seconds_count{node="${node.url}"}`);
    expect(text).toMatch(/strata_source_errors_total\{node="[^"]+",code="node_\w+"\} [1-9]/);
    expect(text).toMatch(/strata_api_request_seconds_count\{route="\/v1\/status",status="2xx"\} [1-9]/);
    expect(text).toMatch(/strata_api_request_seconds_count\{route="unknown",status="4xx"\} 1\n/);
  });

  it('has every metric that the Grafana board asks for, and the manual lists every one of Strata', async () => {
    const names = namesIn(await metricsText());
    const board = readFileSync(new URL('../../docs/grafana.json', import.meta.url), 'utf8');
    const { panels } = JSON.parse(board) as {
      readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
    };
    const asked = panels
      .flatMap(({ targets = [] }) => targets)
      .flatMap(({ expr }) => [...expr.matchAll(/\b(?:strata|process|nodejs)_\w+/g)].map(([name]) => name));
    expect(new Set(asked).size).toBeGreaterThan(25);
    expect([...new Set(asked)].filter((name) => !names.has(name))).toEqual([]);

    const manual = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const own = [...names].filter((name) => /^strata_/.test(name) && !/_(bucket|sum|count)$/.test(name));
    expect(own.filter((name) => !manual.includes(`\n| \`${name}\` |`))).toEqual([]);
    const listed = [...manual.matchAll(/^\| `(strata_\w+)` \|/gm)].map(([, name = '']) => name);
    expect(listed.filter((name) => !names.has(name))).toEqual([]);
    // the board shows all of them
    expect(own.filter((name) => !asked.some((used) => used.startsWith(name)))).toEqual([]);
  });

  it('has every metric and label that the alerts ask for, and the manual says what to do about each', async () => {
    const text = await metricsText();
    const names = namesIn(text);
    const file = readFileSync(new URL('../../docs/alerts.yaml', import.meta.url), 'utf8');
    const { groups } = parse(file) as {
      readonly groups: readonly {
        readonly rules: readonly { readonly alert: string; readonly expr: string }[];
      }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    const asked = rules.map(({ expr }) => [...expr.matchAll(/\bstrata_\w+/g)].map(([name]) => name));
    expect(asked.filter((each) => each.length === 0)).toEqual([]);
    expect(asked.flat().filter((name) => !names.has(name))).toEqual([]);
    for (const { expr } of rules) {
      for (const [, label = ''] of expr.matchAll(/(\w+)="/g)) expect(text).toContain(`${label}="`);
      for (const [, list = ''] of expr.matchAll(/\bby \(([^)]*)\)/g)) {
        const own = list.split(', ').filter((label) => label !== 'instance');
        for (const label of own) expect(text).toContain(`${label}="`);
      }
    }
    for (const needed of ['strata_lag_seconds', 'strata_stalled', 'strata_drift_total']) {
      expect(asked.flat()).toContain(needed);
    }
    const manual = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const listed = [...manual.matchAll(/^\| `(Strata\w+)` \|/gm)].map(([, name]) => name);
    expect(listed).toEqual(rules.map(({ alert }) => alert));
  });

  it('is left alone by the doctor, who looks at everything else', async () => {
    isFaulty = false;
    const { exitCode, stdout } = await runHere('doctor', '--rpc', node.url, '--data', at('data'), '--json');
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string; text: string }[] };
    expect(findings.find(({ check }) => check === 'store')).toMatchObject({
      level: 'warning',
      text: expect.stringContaining('store_in_use'),
    });
    expect(findings.filter(({ level }) => level === 'problem')).toEqual([]);
    expect(exitCode).toBe(0);
  });

  it('has its store for itself, and says which process has it', async () => {
    for (const args of [['index', '--capture', RECORDING], ['digest']]) {
      const second = await runHere(...args, '--data', at('data'));
      expect(second).toMatchObject({ exitCode: 1, stdout: '' });
      expect(second.stderr).toMatch(
        /^strata: store_in_use: The data folder .*data is in use by another process \(pid \d+\)\..*\n$/,
      );
    }
  });

  it('makes a backup of its store, from which another goes on to the same digest', async () => {
    const before = sampleOf(await metricsText(), 'strata_indexed_height');
    const made = await runHere('backup', '--data', at('data'), '--to', at('backup'));
    expect(made).toMatchObject({ exitCode: 0 });
    const [, height = ''] = /^1 (\d+) [0-9a-f]{64}\n$/.exec(made.stdout) ?? [];
    expect(Number(height)).toBeGreaterThanOrEqual(before);
    const again = await runHere('backup', '--data', at('data'), '--to', at('backup'));
    expect(again).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('is there already') });
    await running.stopWell('SIGTERM');

    const restored = await runHere('restore', '--from', at('backup'), '--data', at('restored'));
    expect(restored).toMatchObject({ exitCode: 0, stdout: made.stdout });
    const refused = await runHere('restore', '--from', at('backup'), '--data', at('restored'));
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('store_not_empty') });
    const missing = await runHere('restore', '--from', at('nowhere'), '--data', at('other'));
    expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('backup_invalid') });

    const digest = await runHere('digest', '--data', at('restored'));
    expect(digest.stdout.trimEnd().split('\n').at(-1)).toBe(made.stdout.trimEnd());
    const end = ['--capture', RECORDING, '--to', '501'];
    expect(await runHere('index', '--data', at('restored'), ...end)).toMatchObject({ exitCode: 0 });
    await copyRecordedStore(at('direct'));
    expect((await runHere('digest', '--data', at('restored'))).stdout).toBe(
      (await runHere('digest', '--data', at('direct'))).stdout,
    );
  }, 180_000);

  it('that is stopped leaves a store that the doctor finds well, and that backs up all the same', async () => {
    const { exitCode, stdout } = await runHere('doctor', '--data', at('direct'), '--rpc', node.url);
    expect(stdout).toMatch(/^✓ rows +\S+ +as many as the checkpoint counts, and none above it$/m);
    expect(stdout).toMatch(/^✓ chain +chain id +\S+ everywhere$/m);
    expect(stdout).not.toContain('✗');
    expect(exitCode).toBe(0);
    const { exitCode: backedUp } = await runHere('backup', '--data', at('direct'), '--to', at('second'));
    expect(backedUp).toBe(0);
  });

  it('says so where no doctor can help', async () => {
    const { exitCode, stdout, stderr } = await runHere(
      ...['doctor', '--rpc', 'http://127.0.0.1:1', '--data', at('direct'), '--chain-id', 'other-1'],
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(stdout).toMatch(/^✗ node +http:\/\/127\.0\.0\.1:1 +node_unreachable: /m);
    expect(stdout).toMatch(/^✗ chain +chain id +not one chain: --chain-id: other-1, the store: /m);
  });
});
