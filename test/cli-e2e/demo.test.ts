import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand } from '../support/command.ts';
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
  readonly indexed_height: number;
  readonly tx_count: number;
  readonly tx_daily: readonly { readonly count: number }[];
  readonly txs: readonly unknown[];
}

describe('strata demo', () => {
  it('makes a chain with a past, follows it, and invites to requests that work; the next start goes on with both', async () => {
    const data = join(folder.path, 'live');
    const args = ['demo', '--history', '1', '--data', data, '--listen', '127.0.0.1:0'];
    const first = startCommand(...args);
    const [invitation = ''] = await first.printed(/The reference chain is followed[\s\S]*Ctrl-C stops it\./);
    const lines = [...invitation.matchAll(/^ {2}curl -s '?(http[^\s']+)'?$/gm)].map(([, url = '']) => url);
    expect(lines).toHaveLength(4);
    const [status, stats, distributions, calls] = await Promise.all(
      lines.map(async (url) => (await (await fetch(url)).json()) as Answer),
    );
    // a block every half an hour of the day before
    expect(status?.indexed_height).toBeGreaterThanOrEqual(48);
    const inDays = (stats?.tx_daily ?? []).reduce((sum, { count }) => sum + count, 0);
    expect(inDays).toBe(stats?.tx_count);
    expect(inDays).toBeGreaterThan(48);
    expect(distributions?.txs.length).toBe(2);
    expect(calls?.txs.length).toBe(2);
    expect(await first.stop('SIGINT')).toMatchObject({ exitCode: 0, signal: null });

    const second = startCommand(...args);
    await second.printed(/The reference chain is followed/);
    await second.printed(/from height (4[89]|[5-9]\d|\d{3,}) of/);
    expect(await second.stop('SIGTERM')).toMatchObject({ exitCode: 0, signal: null });
  }, 120_000);

  it('indexes the recording and invites to requests that work; the next start has nothing left to do', async () => {
    const args = ['demo', '--recorded', '--data', join(folder.path, 'demo'), '--listen', '127.0.0.1:0'];
    const first = startCommand(...args);
    await first.printed(/Ctrl-C stops it\./);
    const [invitation = ''] = await first.printed(/A recorded Cosmos EVM chain is indexed[\s\S]*/);
    const lines = [...invitation.matchAll(/^ {2}curl -s '?(http[^\s']+)'?$/gm)].map(([, url = '']) => url);
    expect(lines).toHaveLength(3);
    const bodies: unknown[] = [];
    for (const url of lines) {
      const answer = await fetch(url);
      expect(answer.status, url).toBe(200);
      bodies.push(await answer.json());
    }
    expect(bodies[0]).toMatchObject({ indexed_height: 501, lag_blocks: 0 });
    expect(bodies[1]).toMatchObject({ txs: [{}, {}] });
    for (const name of ['contract', 'node']) {
      const url = new RegExp(`^ {2}${name} +(http\\S+)`, 'm').exec(invitation)?.[1] ?? '';
      expect((await fetch(url)).status, url).toBe(200);
    }
    expect(await first.stop('SIGINT')).toMatchObject({ exitCode: 0, signal: null });

    const second = startCommand(...args);
    await second.printed(/A recorded Cosmos EVM chain is indexed/);
    await second.printed(/from height 502 of 501/);
    const stopped = await second.stop('SIGTERM');
    expect(stopped).toMatchObject({ exitCode: 0, signal: null });
    expect(stopped.stderr).not.toContain('cut short');
  }, 90_000);
});
