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

describe('strata demo', () => {
  it('indexes the recording and invites to requests that work; the next start has nothing left to do', async () => {
    const args = ['demo', '--data', join(folder.path, 'demo'), '--listen', '127.0.0.1:0'];
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
