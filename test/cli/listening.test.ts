import { appListenWarnings } from 'strata-testnet/cli/listen-warnings';
import { describe, expect, it } from 'vitest';
import { apiListenWarnings, privateListenWarnings } from '../../src/cli/listening.ts';
import { createStrata } from '../../src/cli/strata.ts';
import { collector } from './console.ts';

describe('who listens beyond this machine is told what that means', () => {
  const proxy = /^other machines reach the app at .* without TLS.*--trust-proxy$/;
  const names = /^other machines reach the app at .* by an IP address alone.*--allowed-hosts$/;

  it.each([
    ['127.0.0.1', 0, [], []],
    ['::1', 0, [], []],
    ['localhost', 0, [], []],
    ['0.0.0.0', 0, [], [proxy, names]],
    ['::', 0, ['strata.example'], [proxy]],
    ['10.0.0.5', 1, [], [names]],
    ['0.0.0.0', 1, ['strata.example'], []],
  ])('%s with %i proxies and the names %j', (host, trustedProxies, allowedHosts, told) => {
    const warnings = appListenWarnings({ listen: { host, port: 8090 }, trustedProxies, allowedHosts });
    expect(warnings).toEqual(told.map((text) => expect.stringMatching(text)));
  });

  it('of the API as well, by the commands that serve it', async () => {
    expect(apiListenWarnings({ host: '127.0.0.1' })).toEqual([]);
    const [warning = ''] = apiListenWarnings({ host: '0.0.0.0' });
    expect(warning).toMatch(/^other machines reach the API at 0\.0\.0\.0 without TLS/);
    for (const command of [
      ['serve', '--data', '/no/such/folder'],
      ['start', '--capture', '/no/such/folder', '--data', '/no/such/folder'],
    ]) {
      // it ends before it listens
      const stderr = collector();
      const io = { stdout: collector(), stderr, env: {} };
      expect(await createStrata(io).run([...command, '--listen', '0.0.0.0:1'])).toBe(1);
      expect(stderr.text()).toContain(warning);
    }
  });

  it('of a listener without passwords as well', () => {
    expect(privateListenWarnings('the admin listener', { host: '127.0.0.1', port: 1 })).toEqual([]);
    expect(privateListenWarnings('the admin listener', { host: '0.0.0.0', port: 1 })).toEqual([
      'other machines reach the admin listener at 0.0.0.0 without a password: let only your own through',
    ]);
  });
});
