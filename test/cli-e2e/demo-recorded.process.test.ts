import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands, startCommand } from '../support/command.ts';
import { startHere } from '../support/command-here.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(async () => {
  killCommands();
  await folder.remove();
});

describe('strata demo --recorded', () => {
  it('indexes the recording and invites to requests that work; the next start has nothing left to do', async () => {
    const args = ['demo', '--recorded', '--data', join(folder.path, 'demo'), '--listen', '127.0.0.1:0'];
    const first = startHere(...args);
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
    await first.stopWell();

    const second = startCommand(...args);
    await second.printed(/A recorded Cosmos EVM chain is indexed/);
    await second.printed(/from height 502 of 501/);
    const stopped = await second.stopWell('SIGTERM');
    expect(stopped.stderr).not.toContain('cut short');
  });
});
