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
  readonly assets: readonly { readonly id: string }[];
  readonly settlements: readonly { readonly status: string }[];
  readonly txs: readonly unknown[];
  readonly points: readonly unknown[];
  readonly totals: { readonly swaps: number };
  readonly rows: readonly unknown[];
}

describe('strata demo', () => {
  it('makes a chain with a past, follows it, and invites to requests that work; the next start goes on with both', async () => {
    const data = join(folder.path, 'live');
    const args = ['demo', '--history', '1', '--data', data, '--listen', '127.0.0.1:0'];
    const first = startCommand(...args);
    const [invitation = ''] = await first.printed(/The reference chain is followed[\s\S]*Ctrl-C stops it\./);
    const lines = [...invitation.matchAll(/^ {2}curl -s '?(http[^\s']+)'?$/gm)].map(([, url = '']) => url);
    expect(lines).toHaveLength(8);
    const [status, assets, settlements, distributions, calls, prices, network, leaders] = await Promise.all(
      lines.map(async (url) => {
        const answer = await fetch(url);
        expect(answer.status, url).toBe(200);
        return (await answer.json()) as Answer;
      }),
    );
    // a block every half an hour of the day before
    expect(status?.indexed_height).toBeGreaterThanOrEqual(48);
    expect(assets?.assets.map(({ id }) => id)).toEqual([expect.any(String), expect.any(String)]);
    // they settle within hours, so that there may be none just now
    expect(settlements?.settlements.map(({ status }) => status)).toEqual(
      settlements?.settlements.map(() => 'pending'),
    );
    const ofAnyStatus = (lines[2] ?? '').replace('status=pending&', '');
    const settled = (await (await fetch(ofAnyStatus)).json()) as Answer;
    expect(settled.settlements).toHaveLength(2);
    expect(distributions?.txs.length).toBe(2);
    expect(calls?.txs.length).toBe(2);
    expect(prices?.points.length).toBeGreaterThan(0);
    expect(network?.totals.swaps).toBeGreaterThan(0);
    expect(leaders?.rows).toHaveLength(3);
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
    expect(lines).toHaveLength(5);
    const bodies: unknown[] = [];
    for (const url of lines) {
      const answer = await fetch(url);
      expect(answer.status, url).toBe(200);
      bodies.push(await answer.json());
    }
    expect(bodies[0]).toMatchObject({ indexed_height: 501, lag_blocks: 0 });
    expect(bodies[1]).toMatchObject({ txs: [{}, {}] });
    // oracle/expect.json, uniswap_final: floor(1917098915678 · 10^18 / 10435362013933767771845)
    expect(bodies[3]).toMatchObject({ price: '183711778' });
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
