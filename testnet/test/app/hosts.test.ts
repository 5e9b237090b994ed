import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Part } from '../../src/part.ts';
import type { Forward } from '../../src/proxy.ts';

/** A page whose DNS name was pointed at the app (DNS rebinding) gets nothing of it, and does nothing by it. */

const lines: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
const done: string[] = [];
const part: Part = {
  name: 'test',
  routes(server) {
    server.get('/api/thing', () => ({ ok: true }));
    server.post('/api/thing', () => {
      done.push('posted');
      return { ok: true };
    });
  },
};
const forward: Forward = {
  forward(_request, response) {
    done.push('forwarded');
    response.end('{}');
  },
  close: () => undefined,
};
const start = (trustedProxies = 0) =>
  createApp([part], {
    log,
    trustedProxies,
    forward,
    hosts: { listen: { host: '0.0.0.0' }, allowed: ['strata.example'] },
  });

afterEach(() => {
  lines.splice(0);
  done.splice(0);
});

describe('a foreign Host', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/api/thing'],
    ['POST', '/api/thing'],
    ['PUT', '/api/thing'],
    ['GET', '/v1/status'],
    ['GET', '/v1/lookup/%zz'],
    ['GET', '/%zz'],
    ['GET', '/nowhere'],
  ] as const)('is refused: %s %s', async (method, url) => {
    const app = await start();
    for (const host of ['evil.example', 'localhost.evil.example:80', 'strata.example.evil.example']) {
      const answer = await app.inject({ method, url, headers: { host } });
      expect([answer.statusCode, answer.json()]).toEqual([
        403,
        { error: expect.stringContaining('--allowed-hosts'), code: 'forbidden' },
      ]);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
    expect(done).toEqual([]);
    expect(lines.join('')).toContain('evil.example');
  });
});

describe('an own Host', () => {
  it.each([
    'localhost:8090',
    '127.0.0.1',
    '[::1]:8090',
    '192.168.1.5:8090',
    'strata.example',
    'STRATA.example:443',
  ])('is answered: %s', async (host) => {
    const app = await start();
    const statuses = ['/api/thing', '/v1/status'].map(
      async (url) => (await app.inject({ url, headers: { host } })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200]);
  });
});

describe('X-Forwarded-Host', () => {
  const ask = async (trustedProxies: number, forwarded: string) => {
    const headers = { host: 'localhost:8090', 'x-forwarded-host': forwarded };
    return (await (await start(trustedProxies)).inject({ url: '/api/thing', headers })).statusCode;
  };

  it('is nothing without a proxy that is trusted', async () => {
    expect(await ask(0, 'evil.example')).toBe(200);
  });

  it.each([
    ['strata.example', 200],
    ['evil.example', 403],
    ['strata.example, evil.example', 403],
    ['evil.example, strata.example', 200],
  ])('of a proxy that is trusted counts by its last name: %s', async (forwarded, status) => {
    expect(await ask(1, forwarded)).toBe(status);
  });
});
