import { readdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../../test/support/fake-clock.ts';
import { openDatabase } from '../../../src/database/database.ts';
import { holdPostgres, type Session } from '../../../src/database/postgres-hold.ts';
import { holdDatabase } from '../../../src/database/take-hold.ts';
import { postgresServer, sqliteFile } from '../support/databases.ts';
import { silent } from '../support/test-chain.ts';

const surroundings = { clock: systemClock, log: silent };

describe('a SQLite file', () => {
  it('is held once, while others read and write it', async () => {
    const { choice, remove } = await sqliteFile();
    const hold = await holdDatabase(choice, surroundings);
    await expect(holdDatabase(choice, surroundings)).rejects.toMatchObject({
      code: 'store_in_use',
      message: expect.stringMatching(
        /^the app's database \/.*app\.db has a desk already, in another process: /,
      ),
    });
    const database = await openDatabase(choice);
    const row = { meta_hash: 'ab'.repeat(32), document: '{}', created_at_ms: 1 };
    await database.insertInto('launchpad_documents').values(row).execute();
    await database.destroy();
    expect(hold.isHeld()).toBe(true);

    await hold.release();
    expect(hold.isHeld()).toBe(false);
    const next = await holdDatabase(choice, surroundings);
    await next.release();
    const folder = choice.kind === 'sqlite' ? dirname(choice.path) : '';
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['app.db.lock']));
    expect(await readdir(folder)).not.toContain('app.db.lock-journal');
    await remove();
  });

  it('in a folder that cannot be is told so', async () => {
    const choice = { kind: 'sqlite', path: '/dev/null/app.db' } as const;
    await expect(holdDatabase(choice, surroundings)).rejects.toMatchObject({
      code: 'store_unreachable',
      message: expect.stringMatching(/^the app's database \/dev\/null\/app\.db cannot be opened: /),
    });
  });
});

describe('a Postgres database', () => {
  // pglite has one session, so that a second one cannot be refused here: see the sessions below
  it('is held by a session of its own', async () => {
    const { choice, remove } = await postgresServer();
    for (let turn = 1; turn <= 2; turn++) {
      const hold = await holdDatabase(choice, surroundings);
      expect(hold.isHeld()).toBe(true);
      await hold.release();
      expect(hold.isHeld()).toBe(false);
    }
    await remove();
  });

  it('of a server that is not there is told without its password', async () => {
    const choice = { kind: 'postgres', url: 'postgres://me:hunter2@127.0.0.1:1/strata' } as const;
    const refused = await holdDatabase(choice, surroundings).catch((error: unknown) => error);
    expect(refused).toMatchObject({ code: 'store_unreachable' });
    expect(String(refused)).not.toMatch(/hunter2/);
  });
});

/** What a server answers to each attempt: a session, none since another has the lock, or nothing. */
type Answer = 'session' | 'taken' | 'nothing';

function server(answers: Answer[]) {
  const sessions: { isHeld: boolean }[] = [];
  const open = async (): Promise<Session | undefined> => {
    const answer = answers.shift() ?? 'taken';
    if (answer === 'nothing') throw new Error('connection refused');
    if (answer === 'taken') return undefined;
    const session = { isHeld: true };
    sessions.push(session);
    return {
      isHeld: () => session.isHeld,
      look: async () => undefined,
      close: async () => {
        session.isHeld = false;
      },
    };
  };
  return { open, end: () => Object.assign(sessions.at(-1) ?? {}, { isHeld: false }), answers };
}

const taken = () => new StrataError('store_in_use', 'taken');

describe("a Postgres session's end", () => {
  async function held(...answers: Answer[]) {
    const it = server(['session', ...answers]);
    const clock = createFakeClock();
    const hold = await holdPostgres('postgres://', taken, { clock, log: silent, open: it.open });
    const stop = new AbortController();
    const kept = hold.keep(stop.signal).then(
      () => 'kept',
      (error: unknown) => error,
    );
    return { ...it, clock, hold, stop, kept };
  }

  it('at the first attempt of another refuses the start', async () => {
    const { open } = server(['taken']);
    const clock = createFakeClock();
    await expect(holdPostgres('', taken, { clock, log: silent, open })).rejects.toThrow('taken');
  });

  it('is followed by another session, however long the server is away', async () => {
    const { clock, hold, stop, kept, end, answers } = await held(
      ...new Array<Answer>(20).fill('nothing'),
      'session',
    );
    await clock.advance(20_000);
    expect(hold.isHeld()).toBe(true);
    end();
    expect(hold.isHeld()).toBe(false);
    await clock.advance(90_000);
    expect(hold.isHeld()).toBe(false);
    await clock.advance(20_000);
    expect([hold.isHeld(), answers]).toEqual([true, []]);
    stop.abort();
    expect(await kept).toBe('kept');
  });

  it('that the server does not know of yet is outlived', async () => {
    const { clock, hold, stop, kept, end } = await held('taken', 'taken', 'taken', 'session');
    end();
    await clock.advance(25_000);
    expect(hold.isHeld()).toBe(true);
    stop.abort();
    expect(await kept).toBe('kept');
  });

  it('ends the desk where another process has taken its place', async () => {
    const { clock, hold, kept, end } = await held();
    end();
    await clock.advance(40_000);
    expect(await kept).toMatchObject({ code: 'store_in_use' });
    expect(hold.isHeld()).toBe(false);
  });
});
