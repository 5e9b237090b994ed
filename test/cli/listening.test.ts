import { describe, expect, it } from 'vitest';
import { appListenWarnings, privateListenWarnings } from '../../src/cli/listening.ts';

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

  it('of a listener without passwords as well', () => {
    expect(privateListenWarnings('the admin listener', { host: '127.0.0.1', port: 1 })).toEqual([]);
    expect(privateListenWarnings('the admin listener', { host: '0.0.0.0', port: 1 })).toEqual([
      'other machines reach the admin listener at 0.0.0.0 without a password: let only your own through',
    ]);
  });
});
