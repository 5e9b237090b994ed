import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { authenticate } from '../../src/engine/credentials.ts';
import { createGuesses, type GuessReport } from '../../src/engine/guesses.ts';

/** Time that the test moves: waits end when they are let go. */
function stage() {
  const waits: { readonly ms: number; readonly end: () => void }[] = [];
  const reports: GuessReport[] = [];
  const clock = { ms: 1_000 };
  const guesses = createGuesses((report) => reports.push(report), {
    nowMs: () => clock.ms,
    wait: (ms) => new Promise((resolve) => waits.push({ ms, end: () => resolve(undefined) })),
  });
  return { guesses, waits, reports, clock };
}

describe('wrong passwords', () => {
  it('wait longer each time, up to a bound, and not for those who were wrong a few times', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 20; i++) {
      const answered = guesses.wrong('a owner');
      waits.at(-1)?.end();
      await answered;
    }
    const delays = waits.map(({ ms }) => ms);
    expect(delays).toHaveLength(17);
    expect(delays.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(new Set(delays.slice(7))).toEqual(new Set([10_000]));
  });

  it('at once wait up to a few, although their clients have left; more are refused', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    const pending = Array.from({ length: 8 }, () => guesses.wrong('a owner'));
    await expect(guesses.wrong('a owner')).rejects.toThrow('Too many wrong passwords');
    // others have places of their own
    await guesses.wrong('a reader');
    await guesses.wrong('b owner');
    for (const { end } of waits) end();
    await Promise.all(pending);
    const again = guesses.wrong('a owner');
    waits.at(-1)?.end();
    await again;
  });

  it('of many addresses are bounded together', async () => {
    const { guesses } = stage();
    for (let address = 0; address < 64; address++) {
      for (let i = 0; i < 3; i++) await guesses.wrong(`${address} owner`);
      for (let i = 0; i < 4; i++) void guesses.wrong(`${address} owner`);
    }
    await expect(guesses.wrong('new owner')).rejects.toThrow('Too many wrong passwords');
  });

  it('are forgotten some time after the last one', async () => {
    const { guesses, waits, clock } = stage();
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    clock.ms += 600_001;
    for (let i = 0; i < 3; i++) await guesses.wrong('a owner');
    expect(waits).toHaveLength(0);
  });

  it('do not keep a right one out, and a right one does not make them cheaper', async () => {
    const { guesses, waits } = stage();
    const passwords = { owner: 'right', reader: undefined };
    const ask = (password: string) => {
      const request = { headers: { 'x-clickhouse-key': password }, socket: { remoteAddress: 'a' } };
      return authenticate(request as unknown as IncomingMessage, new URLSearchParams(), passwords, guesses);
    };
    const wrong = () => ask('wrong').catch((error: Error) => error.message);
    for (let i = 0; i < 3; i++) await wrong();
    expect(await ask('right')).toBe('owner');
    const pending = Array.from({ length: 8 }, wrong);
    expect(waits.map(({ ms }) => ms).slice(0, 2)).toEqual([100, 200]);
    // every place is taken
    expect(await ask('right')).toBe('owner');
    expect(await wrong()).toContain('Too many wrong passwords');
    for (const { end } of waits) end();
    for (const message of await Promise.all(pending)) expect(message).toContain('Authentication failed');
  });

  it('of all addresses of an IPv6 /64 are one client’s', async () => {
    const { guesses, waits } = stage();
    for (let i = 0; i < 4; i++) {
      const request = { headers: {}, socket: { remoteAddress: `2001:db8::${i}:1` } };
      const passwords = { owner: 'right', reader: undefined };
      const asked = authenticate(
        request as unknown as IncomingMessage,
        new URLSearchParams(),
        passwords,
        guesses,
      );
      if (i < 3) await expect(asked).rejects.toThrow('Authentication failed');
      else asked.catch(() => undefined);
    }
    expect(waits).toHaveLength(1);
  });

  it('are told with their number, in one line at a time', async () => {
    const { guesses, reports, clock } = stage();
    for (let i = 0; i < 5; i++) await guesses.wrong(`${i} owner`);
    clock.ms += 10_000;
    await guesses.wrong('5 owner');
    expect(reports).toEqual([
      { wrong: 1, total: 1 },
      { wrong: 5, total: 6 },
    ]);
  });
});
