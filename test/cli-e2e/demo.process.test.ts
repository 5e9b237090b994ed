import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand } from '../support/command.ts';
import { runHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What `npm start` runs. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

/** Of any route, as far as it is looked at. */
interface Answer {
  readonly names: readonly { readonly name: string }[];
  readonly indexed_height: number;
  readonly assets: readonly { readonly id: string }[];
  readonly txs: readonly unknown[];
  readonly points: readonly unknown[];
  readonly quotes: readonly unknown[];
}

/** The pid of the app that a demo over this folder has started. */
function appProcess(data: string): number {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' });
  const line = stdout.split('\n').find((one) => one.includes(` app --config ${data}`));
  return Number(line?.trim().split(/\s+/)[0]);
}

describe('strata demo', () => {
  it('makes a chain with a past, opens pages over it at once, and invites when it has come to the present; the next start goes on', async () => {
    const data = join(folder.path, 'live');
    const args = ['demo', '--history', '1', '--data', data, '--listen', '127.0.0.1:0'];
    const first = startCommand(...args);
    const [, app = ''] = await first.printed(
      /^Strata is at {2}(http:\S+)\n\nA new chain makes its last day first/m,
    );
    const facts = (await (await fetch(`${app}/api/chain`)).json()) as Answer;
    expect(facts).toMatchObject({ chain_id: 'aeva_9111-1', contracts: { router: expect.any(String) } });
    expect(facts.names.map(({ name }) => name)).toContain('Faucet');

    const [invitation = ''] = await first.printed(/The chain is at the present[\s\S]*Ctrl-C stops it\./);
    expect(/^ {2}(http\S+)$/m.exec(invitation)?.[1]).toBe(app);
    const lines = [...invitation.matchAll(/^ {2}curl -s '?(http[^\s']+)'?$/gm)].map(([, url = '']) => url);
    expect(lines).toHaveLength(5);
    const [status, assets, distributions, prices, desk] = await Promise.all(
      lines.map(async (url) => {
        expect(url.startsWith(app)).toBe(true);
        const answer = await fetch(url);
        expect(answer.status, url).toBe(200);
        return (await answer.json()) as Answer;
      }),
    );
    // a block every half an hour of the day before
    expect(status?.indexed_height).toBeGreaterThanOrEqual(48);
    expect(assets?.assets.map(({ id }) => id)).toEqual([expect.any(String), expect.any(String)]);
    expect(distributions?.txs.length).toBe(2);
    expect(prices?.points.length).toBeGreaterThan(0);
    expect(desk?.quotes).toEqual(expect.any(Array));
    for (const name of ['reference', 'indexer', 'node']) {
      const url = new RegExp(`^ {2}${name} +(http\\S+)`, 'm').exec(invitation)?.[1] ?? '';
      expect((await fetch(url)).status, url).toBe(200);
    }
    await first.stopWell('SIGINT');

    const second = startCommand(...args);
    await second.printed(/The pages are there already; the chain comes to the present first/);
    // while it runs, told by its own name and not by the chain's
    const beside = await runHere(...args);
    expect([beside.exitCode, beside.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^strata: store_in_use: a demo runs in \S+ already \(process \d+\): stop it.*\n$/,
      ),
    ]);
    await second.printed(/from height (4[89]|[5-9]\d|\d{3,}) of/);
    await second.printed(/The chain is at the present/);
    process.kill(appProcess(data), 'SIGKILL');
    const ended = await second.ended;
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toMatch(/^strata: process_ended: the app ended \(signal SIGKILL\)\./m);
  }, 120_000);

  it('ends at once, with a reason, where somebody else listens', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const data = join(folder.path, 'taken');
    const ended = await runHere('demo', '--history', '0', '--data', data, '--listen', `127.0.0.1:${port}`);
    taken.close();
    expect(ended.exitCode).toBe(1);
    expect(ended.stderr).toContain(`strata: port_in_use: cannot listen at 127.0.0.1:${port}: EADDRINUSE`);
    expect(existsSync(data)).toBe(false);
  });
});
