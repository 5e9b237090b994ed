import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import type { Documents } from '../../../src/launchpad/documents.ts';
import { launchpadPart } from '../../../src/launchpad/part.ts';

/** What bounds the database: new documents of an address a day, whatever it posts besides. */

afterEach(() => vi.useRealTimers());

it('takes fifty new documents a day from an address, and known ones all the same', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_790_000_000_000 });
  const kept = new Map<string, string>();
  const documents: Documents = {
    has: async (metaHash) => kept.has(metaHash),
    put: async ({ metaHash, text }) => void kept.set(metaHash, text),
    get: async (metaHash) => kept.get(metaHash),
  };
  const server = await createApp([launchpadPart(documents)], {
    log: pino({ level: 'silent' }),
    trustedProxies: 0,
  });
  const post = async (number: number, remoteAddress = '192.0.2.1') => {
    // a minute on, so that the limit of attempts is never the one that refuses
    vi.setSystemTime(Date.now() + 61_000);
    return server.inject({
      method: 'POST',
      url: '/api/launchpad/metadata',
      remoteAddress,
      payload: { name: `Test ${number}`, symbol: 'TEST', description: '', template: 'bond' },
    });
  };
  for (let number = 1; number <= 50; number++) expect((await post(number)).statusCode).toBe(200);
  const refused = await post(51);
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(80_000);
  expect(kept.size).toBe(50);
  expect((await post(7)).statusCode).toBe(200);
  expect((await post(51, '192.0.2.2')).statusCode).toBe(200);
  vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1_000);
  expect((await post(52)).statusCode).toBe(200);
});
